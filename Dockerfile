# Keepsake as a service; docs/running.md says how to start it.

FROM node:24-slim AS build
WORKDIR /build
# Nothing here compiles native code: the packages that have some bring it along.
COPY package.json package-lock.json ./
COPY scripts/absent scripts/absent
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/absent scripts/absent
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
# History is kept with git.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends git \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY demo demo
COPY --from=build /build/dist dist
# Folders made here give their owner to the volumes that are mounted on them.
RUN ln -s /app/dist/cli/main.js /usr/local/bin/keepsake \
  && mkdir /vault /state \
  && chown node:node /vault /state
ENV NODE_ENV=production \
  KEEPSAKE_VAULT=/vault \
  XDG_STATE_HOME=/state \
  XDG_CONFIG_HOME=/state/config \
  XDG_DATA_HOME=/state/data
USER node
VOLUME ["/vault", "/state"]
EXPOSE 4319
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4319/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without a token it refuses to listen beyond the container: docker run … keepsake token create <name>
ENTRYPOINT ["keepsake"]
CMD ["serve", "--host", "0.0.0.0"]
