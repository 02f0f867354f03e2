"""Column types shared by all tables, and the metadata that lists the tables."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Integer, MetaData, TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A timestamp: timezone-aware in Python, UTC in the database."""

    impl: DateTime = DateTime(timezone=True)
    cache_ok: bool | None = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert an aware datetime to UTC; refuse a naive one, whose zone is unknown."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"A time without a zone cannot be stored: {value!r}.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware UTC datetime, also for databases that store no zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# SQLite autoincrements only columns declared INTEGER.
BigId: BigInteger = BigInteger().with_variant(Integer, "sqlite")
Json: JSON = JSON(none_as_null=True)

metadata: MetaData = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
