"""Training of the networks behind the strength `master`; needs ``croupier[train]``. See docs/training.md."""

import os

# The matrices are small: several threads would mostly wait for each other, and their number changes the last
# bits of a product, so that processes would not learn the same. Numpy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
