"""Tables: pure state machines, their journal, and the runner that stores before it tells."""
