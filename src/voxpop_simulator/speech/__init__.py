"""How an agent says it: authored text, picked and filled for one agent."""
