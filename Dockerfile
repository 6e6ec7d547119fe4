# Two images: Keepsake for your own vault (the default; docs/operate/running.md), and a node of a multi-vault service (--target service;
# docs/operate/hosting.md).

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/vault/package.json packages/vault/
COPY packages/service/package.json packages/service/
COPY packages/benchmark/package.json packages/benchmark/
COPY scripts/absent scripts/absent

FROM packages AS build
# Packages with native code contain binaries, so that no compiler is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM packages AS vault-dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace keepsake-vault

FROM packages AS service-dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace keepsake-service

FROM node:24-slim AS base
# The history is stored with git.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY LICENSE CHANGELOG.md ./
# Volumes mounted on these folders get their owner.
RUN mkdir /vault /state && chown node:node /vault /state
ENV NODE_ENV=production \
  XDG_STATE_HOME=/state \
  XDG_CONFIG_HOME=/state/config \
  XDG_DATA_HOME=/state/data

FROM base AS service
COPY --from=service-dependencies /app/node_modules node_modules
COPY packages/service/package.json packages/service/
COPY --from=build /app/packages/service/dist packages/service/dist
RUN ln -s /app/packages/service/dist/cli/main.js /usr/local/bin/keepsake-service
USER node
VOLUME ["/state"]
EXPOSE 4320
ENTRYPOINT ["keepsake-service"]

FROM base AS vault
COPY --from=vault-dependencies /app/node_modules node_modules
COPY packages/vault/package.json packages/vault/
COPY packages/vault/demo packages/vault/demo
COPY --from=build /app/packages/vault/dist packages/vault/dist
RUN ln -s /app/packages/vault/dist/cli/main.js /usr/local/bin/keepsake
ENV KEEPSAKE_VAULT=/vault
USER node
VOLUME ["/vault", "/state"]
EXPOSE 4319
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4319/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Listening beyond loopback requires a token: docker run … keepsake token create <name>
ENTRYPOINT ["keepsake"]
CMD ["serve", "--host", "0.0.0.0"]
