#!/usr/bin/env bash
# Adds the digest to every image of docker-compose.yml and the Dockerfile that has none (but its own), and checks those that have one against the registry. Needs Docker
# with buildx and a registry that it can reach.
set -euo pipefail
cd "$(dirname "$0")/.."
code=0
for image in $(sed -nE 's/^ *(image:|FROM) +([^ ]+:[^ ]+).*$/\2/p' docker-compose.yml Dockerfile | grep -v '^crossbook:'); do
  tag=${image%@*}
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$tag")
  case $image in
    "$tag") sed -i.before "s|$tag\$|$tag@$digest|" docker-compose.yml Dockerfile && echo "pinned $tag@$digest" ;;
    "$tag@$digest") echo "unchanged $image" ;;
    *) echo "the registry has $digest for $image" >&2; code=1 ;;
  esac
done
rm -f docker-compose.yml.before Dockerfile.before
exit $code
