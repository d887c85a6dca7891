#!/usr/bin/env bash
# Deploys the server alone into an empty folder and runs it there as a production machine would: with
# DATABASE_URL and SECRETS_KEY and nothing else, on the pinned Node and on the machine's own.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
server=
database=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  # The database's own server ends when its input does.
  [ -z "$database" ] || { exec 3>&-; wait "$database" 2>/dev/null || true; }
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "check-deploy: $1" >&2
  cat "$work"/*.log >&2 || true
  exit 1
}
# Runs a command until it succeeds, for 30 s at most.
until_true() {
  local deadline=$((SECONDS + 30))
  until "$@"; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.1
  done
}

npx -y pnpm@12 --filter @ratecard/dashboard build >"$work/build.log" 2>&1 || fail 'the dashboard does not build'
npx -y pnpm@12 --filter @ratecard/server deploy --prod "$work/server" >"$work/deploy.log" 2>&1 ||
  fail 'pnpm deploy failed'
commit=$(git rev-parse HEAD)
echo "$commit" >"$work/server/commit"
if find "$work/server" -type l -lname "$PWD/*" | grep -q .; then fail 'a link leads back into the repository'; fi
cd "$work/server"
pinned=$(PATH="$PWD/node_modules/.bin:$PATH" node -p process.execPath)

if [ -z "${DATABASE_URL:-}" ]; then
  mkfifo "$work/hold"
  chmod 755 "$work"
  "$pinned" --input-type=module -e "
    const { openEmbedded } = await import('$work/server/src/database/embedded.ts')
    const database = await openEmbedded('$work/data')
    console.log(database.connectionString)
    process.stdin.resume().on('end', () => database.release())
  " <"$work/hold" >"$work/database-url" 2>"$work/database.log" &
  database=$!
  exec 3>"$work/hold"
  until_true test -s "$work/database-url" || fail 'the embedded database did not start'
  DATABASE_URL=$(cat "$work/database-url")
fi
SECRETS_KEY=$(head -c 32 /dev/urandom | base64)

check() {
  local node=$1 url code
  echo "deployed server on $("$node" --version)"
  : >"$work/address.json"
  env -i PATH="$PATH" DATABASE_URL="$DATABASE_URL" SECRETS_KEY="$SECRETS_KEY" PORT=0 ADMIN_PORT=0 \
    "$node" bin/ratecard.js serve --json >"$work/address.json" 2>"$work/server.log" 3>&- &
  server=$!
  until_true grep -q '}' "$work/address.json" || fail 'the server does not listen'
  field() { "$pinned" -p "JSON.parse(fs.readFileSync('$work/address.json', 'utf8')).$1"; }
  url=$(field url)
  is_ready() { curl -fs -o /dev/null "http://127.0.0.1:$(field admin_port)/ready"; }
  until_true is_ready || fail 'the server does not become ready'
  curl -s "http://127.0.0.1:$(field admin_port)/health" | grep -q "\"commit\":\"$commit\"" ||
    fail 'the server does not know its commit'
  code() { curl -s -o /dev/null -w '%{http_code}' "$url$1"; }
  [ "$(code /health)" = 200 ] || fail "GET /health answers $(code /health)"
  [ "$(code /v1/usage)" = 401 ] || fail "GET /v1/usage answers $(code /v1/usage)"
  [ "$(code /dashboard/keys)" = 200 ] || fail "GET /dashboard/keys answers $(code /dashboard/keys)"
  [ "$(code /dashboard/api/me)" = 401 ] || fail "GET /dashboard/api/me answers $(code /dashboard/api/me)"
  [ "$(code /openapi.yaml)" = 200 ] || fail "GET /openapi.yaml answers $(code /openapi.yaml)"
  kill -TERM "$server"
  wait "$server" || fail "the server ends with exit code $?"
  server=
}

check "$pinned"
# The machine's own, often an older one: the program hands over to the pinned Node by itself.
own=$(PATH=$(tr : '\n' <<<"$PATH" | grep -v node_modules | paste -sd:) command -v node || true)
if [ -n "$own" ]; then check "$own"; fi
