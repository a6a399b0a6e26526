import { configDefaults, defineConfig } from 'vitest/config'

/** How Stryker runs the tests of a room: as vitest.config.ts does, without a command, which rooms do not need, and without browsers. */
export default defineConfig({
  test: {
    // Its own option `testFiles` breaks nothing that runs while a file is loaded.
    include: [process.env.MUTATION_TESTS ?? ''],
    exclude: [...configDefaults.exclude, 'tests/mock/console/page/**', 'tests/**/*-browser.test.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['tests/setup.ts'],
    isolate: false,
    testTimeout: 30_000,
  },
})
