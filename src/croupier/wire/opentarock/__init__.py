"""The JSON protocol that Tarock and Taroky share (opentarock, 2014): login, rooms, commands and events."""
