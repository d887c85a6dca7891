# The server alone, for a PostgreSQL of your own. See docs/operations.md.

FROM node:24.21.0-slim AS build
RUN npm install --global pnpm@12.21.0
WORKDIR /repository
COPY . .
RUN pnpm install --frozen-lockfile --ignore-scripts --filter @ratecard/dashboard && \
  pnpm --filter @ratecard/dashboard build
# Nothing else needs building: Node runs the TypeScript as it is. Left out are the optional packages (the embedded
# PostgreSQL) and installation scripts (a second Node).
RUN pnpm --filter @ratecard/server deploy --prod --no-optional --ignore-scripts /deployed
# What the image says it is of: --build-arg RATECARD_COMMIT="$(git rev-parse HEAD)". There is no git in it.
ARG RATECARD_COMMIT=unknown
RUN echo "$RATECARD_COMMIT" >/deployed/commit

FROM node:24.21.0-slim
# The admin port stays on the container's own loopback: ADMIN_HOST=0.0.0.0 opens it to the network the container is on.
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=127.0.0.1
WORKDIR /app
COPY --from=build /deployed ./
# By number, so that "runAsNonRoot" of Kubernetes can tell that it is not root. It is the user "node".
USER 1000
EXPOSE 8080
# By the shell that is in the image: to start a Node for each check would cost more than the check.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${ADMIN_PORT:-9090} && printf 'GET /live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -t 2 -r line <&3 && [[ $line == *' 200 '* ]]"]
# Without a shell between, so that SIGTERM reaches the server.
ENTRYPOINT ["node", "bin/ratecard.js"]
CMD ["serve"]
