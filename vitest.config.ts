import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'models/**/*.test.ts',
      'tools/**/*.test.ts',
      'graphs/**/*.test.ts',
      'eval/**/*.test.ts',
      'scripts/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    env: { LONGTAKE_SERVERS: 'off' }, // what listens on this machine is no part of a test
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 240_000, // for what hangs: a machine under load is no failure
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } }, // one that polls measures nothing: on a loaded machine a page takes its time
  },
})
