# Node runs the TypeScript as it is; the image carries no build step and no dev dependency.
FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY schemas schemas
COPY src src
COPY actors actors
COPY workers workers
COPY ui ui
RUN mkdir -p /app/.data/history && chown -R node:node /app/.data && chmod 700 /app/.data
USER node
EXPOSE 8080
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=4", "src/main.ts"]
