import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They begin, so that at the end no worker waits for the other. */
const longest = [
  'cli/mock/selftest',
  'faults/lawful',
  'reports/formats/html-browser',
  'package',
  'faults/reject',
  'playwright-runner/',
  'faults/',
  'examples',
  'browser',
  'console/page',
  'generator/',
  'broken-servers/',
  'cli/verify/',
  'cli/',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.findIndex(part => moduleId.includes(`/tests/${part}`))
  return place === -1 ? longest.length : place
}

/**
 * What `--mode quick` leaves out: whole runs against hundreds of servers, what packs, installs or builds, and pages in a browser. A change
 * in a room seldom breaks them alone, and they take half of the time; CI runs all.
 */
const longRuns = [
  'tests/faults/**',
  'tests/state/**',
  'tests/hostile/**',
  'tests/broken-servers/**',
  'tests/cli/mock/selftest.test.ts',
  'tests/cli/proxy/frontend.test.ts',
  'tests/mock/console/page/**',
  'tests/reports/formats/html-browser.test.ts',
  'tests/playwright-runner/scale-out.test.ts',
  'tests/package.test.ts',
  'tests/examples.test.ts',
  'tests/ci-examples.test.ts',
  'tests/frontend.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(mode === 'quick' ? longRuns : [])],
    // Node reads the files itself, as it does for users: calls between modules cost less than through Vite's.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ['tests/built-command.ts'],
    setupFiles: ['tests/setup.ts'],
    // A worker keeps its modules from file to file: loading them again costs more than most files do.
    isolate: false,
    // A third worker computes while others wait for servers, browsers and child processes.
    maxWorkers: 3,
    // Tests that may run at the same time mostly wait.
    maxConcurrency: 8,
    sequence: { sequencer: LongestFirst },
    // A deadline is for what hangs. It is generous, as the machine may have other things to do.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
}))
