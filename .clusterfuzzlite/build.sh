#!/usr/bin/env bash
# Builds every fuzz target into $OUT, with its seeds and its dictionary, as ClusterFuzzLite and OSS-Fuzz want them.
#
#     OUT=/tmp/out .clusterfuzzlite/build.sh
#
# $SANITIZER is set in their images, whose nightly Rust builds it in. Without it, or with `none`, stable Rust will do.
set -euo pipefail

: "${OUT:?is the folder to build into}"
OUT=$(mkdir -p "$OUT" && cd "$OUT" && pwd)

# The images run a copy of this file that stands in $SRC, beside the project.
if [[ -d ${SRC-}/anysplit ]]; then
    cd "$SRC/anysplit"
else
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
fi

archive() {
    if command -v zip >/dev/null; then
        zip -q -X -j "$@"
    else
        python3 -m zipfile -c "$@"
    fi
}

# `cargo fuzz` knows no `--locked`: a lock file that is out of date is noticed here.
metadata=$(cargo metadata --locked --format-version 1 --manifest-path fuzz/Cargo.toml)
built=$(sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p' <<<"$metadata")/$(rustc -vV | sed -n 's/^host: //p')/release

# Debug assertions are worth their time here: the inner invariants of the library are written as such.
options=(-O --debug-assertions)
[[ ${SANITIZER:-none} != none ]] || options+=(-s none)
cargo fuzz build "${options[@]}"

for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    cp "$built/$target" "fuzz/dict/$target.dict" "$OUT/"
    # What fuzz/README.md says by hand; a failure is made small before it is told, which takes its time.
    printf '[libfuzzer]\nmax_len = 4096\ntimeout = 50\n' >"$OUT/$target.options"
    rm -f "$OUT/${target}_seed_corpus.zip"
    archive "$OUT/${target}_seed_corpus.zip" "corpus/$target"/*
done
