"""Answer texts of agents: authored lines, selected and filled in for each agent."""
