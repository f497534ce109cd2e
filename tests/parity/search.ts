import { parseArgs } from 'node:util'
import { textEncoders } from '../../models/embed-text/index.ts'
import { runScript } from '../../scripts/script.ts'
import { measureRecall, readTalks } from '../support/talks.ts'

// How many lines of the talks in tests/fixtures/talks are found first, and among the first five, by words, by meaning and by both.
//   npx tsx tests/parity/search.ts '{"folder": "models/minilm", "precision": "q8", "pooling": "mean"}' [--backend onnx] [--talks FOLDER] [--misses]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string', default: 'onnx' },
    talks: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

await runScript(async signal => {
  const host = { folder: '.', environment: process.env, signal, say: console.error }
  const encoder = await textEncoders.open(values.backend, JSON.parse(positionals[0] ?? '{}'), host)
  console.log('| talk | kind | queries | words @1 | @5 | meaning @1 | @5 | both @1 | @5 |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const talk of await readTalks(values.talks)) {
    for (const { kind, queries, found } of await measureRecall(talk, encoder, signal)) {
      const cells = (['words', 'meaning', 'both'] as const).flatMap(way => [found[way].first, found[way].five])
      console.log(`| ${[talk.name, kind, queries.length, ...cells].join(' | ')} |`)
      if (values.misses) for (const miss of found.both.misses) console.log(`    ${miss}`)
    }
  }
  await encoder.close?.()
})
