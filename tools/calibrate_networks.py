"""Search the settings of the networks, and record what comes out; some minutes of processor time."""

from oza.experiments.calibration import RECORDED, search

if __name__ == "__main__":
    search().to_csv(RECORDED, index=False, lineterminator="\n")
