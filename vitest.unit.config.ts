import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import whole from './vitest.config.ts'

// `npm run unit`, for work on the code: under a minute on two cores. Left out are tests that start programs, servers or threads, run a
// model, or take more than a second. One that starts ffmpeg fails here: its file belongs into this list.
const slow = [
  'tests/{ablate,bench,contracts,conversation,end-to-end,faults,fuzz,hostile-text,injection,library,tools,trust}/**',
  'scripts/**',
  'src/media/**',
]

export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...slow],
      env: { LONGTAKE_FFMPEG: 'left-out-of-unit-tests', LONGTAKE_FFPROBE: 'left-out-of-unit-tests' },
    },
  }),
)
