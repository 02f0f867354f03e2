# Writes people.csv and models_r.json: regressions by R's survey package, importance by refits of lm and glm.
# Run in this folder: Rscript models.R
suppressMessages(library(survey))
set.seed(20)
n <- 400
d <- data.frame(
  gender = sample(c("female", "male"), n, TRUE),
  region = sample(c("north", "east", "south", "west"), n, TRUE, c(.4, .3, .2, .1)),
  age = sample(18:90, n, TRUE),
  income = round(rlnorm(n, 3.5, .6), 1),
  weight = round(rlnorm(n, 0, .5), 3))
push <- .5 * (d$gender == "male") + .02 * (d$age - 50) + .01 * d$income + .4 * (d$region == "south")
d$score <- round(3 + push + rnorm(n), 2)
d$switch <- ifelse(push + rlogis(n) > .6, "yes", "no")
d$liking <- c("low", "middle", "high", "top")[findInterval(push + rlogis(n), c(-.5, .8, 2)) + 1]
d$income[c(3, 50, 77, 200, 301)] <- NA
d$switch[c(5, 50)] <- NA
write.csv(d, "people.csv", row.names = FALSE, na = "")
d$region <- factor(d$region, c("east", "north", "south", "west"))
d$gender <- factor(d$gender, c("male", "female"))
d$yes <- as.numeric(d$switch == "yes")
d$liking <- factor(d$liking, c("low", "middle", "high", "top"))

# svyolr differentiates its gradient with a coarse step: do it with Richardson's extrapolation instead, and
# polish the optimum by Newton steps.
source_of <- paste(deparse(survey:::svyolr.survey.design2), collapse = "\n")
polish <- 'optim(start, fmin, gmin, method = "BFGS", control = list(reltol = 1e-15, maxit = 1000))
    slopes <- function(at) sapply(seq_along(at), function(j) {
      size <- c(apply(abs(x), 2, max), rep(1, q))[j]
      one <- function(h) { e <- replace(0 * at, j, h / size); (gmin(at + e) - gmin(at - e)) / (2 * h / size) }
      (64 * one(2.5e-3) - 20 * one(5e-3) + one(1e-2)) / 45 })
    for (i in 1:6) res$par <- res$par - solve(slopes(res$par), gmin(res$par))
    res$value <- fmin(res$par)
    res$hessian <- slopes(res$par)
    res$hessian <- (res$hessian + t(res$hessian)) / 2'
source_of <- sub('optim\\(start, fmin, gmin, method = "BFGS", hessian = TRUE, \\s*\\.\\.\\.\\)', polish, source_of)
source_of <- sub("fit$call[[1]] <- as.name(.Generic)", "", source_of, fixed = TRUE)
stopifnot(grepl("slopes", source_of))
olr <- eval(parse(text = source_of), asNamespace("survey"))

tell <- function(x) if (is.list(x)) paste0("{", paste0('"', names(x), '": ', sapply(x, tell), collapse = ", "), "}") else
  if (is.character(x)) paste0("[", paste0('"', x, '"', collapse = ", "), "]") else
  paste0("[", paste(sprintf("%.17g", x), collapse = ", "), "]")
tight <- glm.control(epsilon = 1e-14, maxit = 100)
cases <- list()
for (weighted in c(TRUE, FALSE)) {
  d$w <- if (weighted) d$weight else 1
  des <- svydesign(ids = ~1, weights = ~w, data = d)
  suffix <- if (weighted) "weighted" else "plain"
  for (kind in c("linear", "logistic")) {
    f <- if (kind == "linear") score ~ gender + region + age + income else yes ~ gender + region + age + income
    g <- svyglm(f, des, family = if (kind == "linear") gaussian() else quasibinomial(), control = tight)
    ci <- confint(g, ddf = g$df.residual)
    test <- regTermTest(g, ~region)
    s <- summary(g)$coefficients
    null <- if (kind == "linear") NA else g$null.deviance
    cases[[paste(kind, suffix, sep = "_")]] <- list(terms = names(coef(g)), estimate = coef(g), se = s[, 2],
      t = s[, 3], p = s[, 4], low = ci[, 1], high = ci[, 2], df = g$df.residual,
      explained = 1 - g$deviance / g$null.deviance, wald_f = c(test$Ftest), wald_p = c(test$p))
  }
  o <- olr(liking ~ gender + region + age + income, des)
  all <- c(o$coefficients, o$zeta)
  cases[[paste("ordinal", suffix, sep = "_")]] <- list(terms = names(all), estimate = all, se = sqrt(diag(o$var)),
    df = o$df.residual)
}

# Importance: the average over all orders of what a variable adds (Lindeman, Merenda and Gold), from refits.
lmg <- function(worth, names) {
  k <- length(names)
  value <- sapply(0:(2^k - 1), function(code) worth(names[bitwAnd(code, 2^(0:(k - 1))) > 0]))
  sapply(1:k, function(j) {
    codes <- (0:(2^k - 1))[bitwAnd(0:(2^k - 1), 2^(j - 1)) == 0]
    size <- sapply(codes, function(code) sum(bitwAnd(code, 2^(0:(k - 1))) > 0))
    sum(factorial(size) * factorial(k - size - 1) / factorial(k) * (value[codes + 2^(j - 1) + 1] - value[codes + 1]))
  })
}
names <- c("gender", "region", "age", "income")
whole <- na.omit(d[c("score", "yes", "weight", names)])
model <- function(y, own) as.formula(paste(y, "~", paste(c("1", own), collapse = " + ")))
linear <- function(own) summary(lm(model("score", own), whole, weights = weight))$r.squared
one <- function(own) suppressWarnings(glm(model("yes", own), binomial(), whole, weights = weight / mean(weight), control = tight))
# the likelihood of weights that are no whole numbers: minus half the deviance
mcfadden <- function(own) { g <- one(own); 1 - g$deviance / g$null.deviance }
nagelkerke <- function(own) { g <- one(own); m <- nrow(whole)
  (1 - exp((g$deviance - g$null.deviance) / m)) / (1 - exp(-g$null.deviance / m)) }
cases$importance <- list(names = names, r2 = lmg(linear, names), mcfadden = lmg(mcfadden, names),
  nagelkerke = lmg(nagelkerke, names))
writeLines(paste0("{\n", paste0('"', names(cases), '": ', sapply(cases, tell), collapse = ",\n"),
  ',\n"source": "R ', getRversion(), ", survey ", packageVersion("survey"), '"\n}'), "models_r.json")
