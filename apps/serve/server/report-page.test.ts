import { expect, test } from 'vitest'
import { ownPolicy } from './report-page.ts'

const script = `script-src 'sha256-${'a'.repeat(43)}='`
const style = `style-src 'sha256-${'+'.repeat(43)}='`
const closed = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'"

test('a report may run its own script and style, and its file opens nothing else', () => {
  const written = `default-src 'none'; ${script}; ${style}; img-src data:; base-uri 'none'; form-action 'none'`
  expect(ownPolicy(written)).toBe(written)
  for (const policy of [
    'default-src *',
    "script-src 'unsafe-inline' http://evil; connect-src *",
    `${script.slice(0, -1)} http://evil'`,
    `default-src 'none'; img-src *; ${script} 'unsafe-inline'`,
    "frame-src *; media-src 'self'; sandbox allow-same-origin",
    '',
  ])
    expect(ownPolicy(policy)).toBe(closed)
})
