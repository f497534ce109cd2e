// Reads vitest's JSON reports: `totals.mjs failed REPORT` prints the files with a failure, a line each;
// `totals.mjs print REPORT AGAIN ERRORS` prints the longest files and the totals, and ends with 1 if anything failed.
import { readFileSync } from 'node:fs'

const [command, first, again, errors] = process.argv.slice(2)
const read = path => {
  const text = path ? readFileSync(path, 'utf8') : ''
  return text ? JSON.parse(text) : undefined
}
const relative = name => name.replace(`${process.cwd()}/`, '')
const isFailed = ({ status, assertionResults }) =>
  status === 'failed' || assertionResults.some(test => test.status === 'failed')
const report = read(first)

if (command === 'failed')
  for (const file of report?.testResults.filter(isFailed) ?? []) console.log(relative(file.name))
if (command === 'print') {
  if (!report) console.log('No tests were run.')
  const files = report?.testResults ?? []
  const renewed = new Map((read(again)?.testResults ?? []).map(file => [file.name, file]))
  const mended = files.filter(file => renewed.has(file.name) && !isFailed(renewed.get(file.name)))
  if (mended.length > 0)
    console.log(
      `Failed beside others and passed in a second run by themselves:\n${mended.map(({ name }) => relative(name)).join('\n')}`,
    )
  const seconds = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1000)
  console.log('The longest files, in seconds (scripts/test-durations.ts keeps them):')
  for (const file of files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, 60))
    console.log(`${seconds(file)} ${relative(file.name)}`)
  const last = files.map(file => renewed.get(file.name) ?? file)
  const tests = last.flatMap(file => file.assertionResults)
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length
  // A file that could not be loaded has no tests that could fail.
  const unloaded = last.filter(
    file => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  ).length
  const outside = Number(readFileSync(errors, 'utf8'))
  if (outside > 0) console.log('Errors outside of the tests failed the run: see Unhandled Errors above.')
  const failed = count('failed') + unloaded + outside
  console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped', 'pending', 'todo', 'disabled')} skipped`)
  process.exitCode = failed > 0 || !report ? 1 : 0
}
