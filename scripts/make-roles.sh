#!/bin/sh
# Makes the two roles of a Ratecard in its database, as its superuser. Run by the image of PostgreSQL on a new volume, or
# by hand: psql takes the server from PGHOST and its like. Wants OWNER_PASSWORD and SERVER_PASSWORD.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
  --username "${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname "${POSTGRES_DB:-${PGDATABASE:-ratecard}}" <<SQL
\\getenv owner_password OWNER_PASSWORD
\\getenv server_password SERVER_PASSWORD
\\o /dev/null
select set_config('ratecard.owner_password', :'owner_password', false),
  set_config('ratecard.server_password', :'server_password', false);
\\o
\\i ${ROLES_SQL:-/ratecard/roles.sql}
SQL
