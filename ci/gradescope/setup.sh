#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder's image: packages, NVRTC, the build. Needs the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
kit/ci/setup
