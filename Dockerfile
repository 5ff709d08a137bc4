FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The project's own scripts need the sources; without them this layer stays cached until a dependency changes.
RUN npm ci --ignore-scripts
COPY prisma.config.ts tsconfig.json ./
COPY prisma prisma
COPY scripts scripts
COPY src src
# Optional peers are left out as well: the Prisma CLI and the compiler are such, and half of the size.
RUN npm run prepare && npm prune --omit=dev --omit=optional --omit=peer --ignore-scripts

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production ENGRAM_HOST=0.0.0.0 ENGRAM_PORT=4000
COPY LICENSE package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/prisma prisma
COPY --from=build /app/assets assets
COPY --from=build /app/dist dist
# What the embedded engine keeps; unused with DATABASE_URL.
RUN mkdir data && chown node:node data
VOLUME /app/data
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ENGRAM_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
