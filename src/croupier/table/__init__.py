"""Tables: pure state machines, their journal, and the shell that stores before it tells."""
