# Node runs the TypeScript as it is; the image carries no build step and no dev dependency.
FROM node:22.23.1-bookworm-slim@sha256:6c74791e557ce11fc957704f6d4fe134a7bc8d6f5ca4403205b2966bd488f6b3
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY schemas schemas
COPY data data
COPY src src
COPY lab lab
COPY actors actors
COPY workers workers
COPY ui ui
RUN mkdir -p /app/.data/history && chown -R node:node /app/.data && chmod 700 /app/.data
USER node
EXPOSE 8080
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=4", "src/main.ts"]
