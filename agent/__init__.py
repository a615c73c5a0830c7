"""Acts: everything that needs a process, a network, a disk, a clock or a model."""
