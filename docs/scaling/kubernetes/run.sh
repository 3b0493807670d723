#!/bin/bash
# The three jobs, one after another: bash run.sh. The volume holds `submitted/` and `handout/` by then.
set -euo pipefail

finished() {
  while true; do
    state=$(kubectl get "job/$1" --output='jsonpath={.status.conditions[*].type}')
    case $state in
      *Complete*) return 0 ;;
      *Failed*) echo "The job $1 has failed; kubectl logs job/$1 says why." >&2; return 1 ;;
    esac
    sleep 10
  done
}

cd "$(dirname "${BASH_SOURCE[0]}")"
kubectl apply -f class.yaml
for job in prepare grade merge; do
  kubectl delete --ignore-not-found "job/$job"
  kubectl create -f "$job.yaml"
  finished "$job"
done
