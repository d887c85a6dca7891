#!/bin/sh
# Makes the passwords and keys of compose.yaml, once, in a file that only you can read.
set -eu
cd "$(dirname "$0")/.."
umask 077
if [ -e .env ]; then
  echo '.env is there already: nothing was changed.' >&2
  exit 1
fi
random() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
{
  for name in POSTGRES_PASSWORD OWNER_PASSWORD SERVER_PASSWORD; do
    echo "$name=$(random 24)"
  done
  echo "SECRETS_KEY=$(head -c 32 /dev/urandom | base64)"
} >.env.new
mv .env.new .env
echo 'Passwords and keys are in .env. Keep a copy of SECRETS_KEY apart from the backups of the database.'
