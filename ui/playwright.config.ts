import { defineConfig } from "@playwright/test";

const isRoot = process.getuid?.() === 0;
/** Two runs at once, of two builds, need two ports. */
const port = process.env.NAMMA_UI_PORT ?? "4173";
const address = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: "e2e",
  // Figures are measured by `npm run bench:ui`, never tested.
  ...(process.env.NAMMA_BENCH ? {} : { testIgnore: "perf.spec.ts" }),
  // A busy machine may lose a race once; what needed a second try is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 1,
  reporter: [["list"]],
  outputDir: "test-results",
  use: {
    baseURL: address,
    viewport: { width: 1180, height: 780 },
    launchOptions: {
      executablePath: process.env.NAMMA_CHROMIUM ?? "/usr/bin/chromium",
      args: isRoot ? ["--no-sandbox"] : [],
    },
  },
  webServer: {
    command: `npm run preview -- --host 127.0.0.1 --port ${port} --strictPort`,
    url: address,
    reuseExistingServer: !process.env.CI,
    timeout: 60_000,
  },
});
