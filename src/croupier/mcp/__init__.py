"""Tables for language-model agents over the Model Context Protocol; needs the extra ``mcp``."""
