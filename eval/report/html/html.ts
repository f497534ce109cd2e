import { createHash } from 'node:crypto'
import type { RunReport } from '../run-report.ts'
import { chartTools } from './charts.ts'
import { elementTools } from './elements.ts'
import { buildPage } from './page.ts'
import { type PageData, pageData } from './page-data.ts'
import { sampleTools } from './samples.ts'
import { style } from './style.ts'

// One file that opens offline: no address in it is ever asked for, and only the script that we wrote may run.
export async function html(reports: readonly RunReport[]): Promise<string> {
  return pageOf(await pageData(reports))
}

export function pageOf(data: PageData): string {
  const code = script()
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(code)}`,
    `style-src ${sourceHash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>longtake bench report</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="page"><noscript>This page shows its data with a script that it holds itself; scripts are switched off.</noscript></div>',
    `<script type="application/json" id="data">${inScript(data)}</script>`,
    `<script>${code}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

// JSON that cannot end its script element or begin a comment in it, whatever its texts hold.
export function inScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

// The functions are written and checked as code, and run in the browser from their text. Some compilers mark the names of inner
// functions through a helper that a browser does not have.
function script(): string {
  return [
    '"use strict";',
    'const __name = made => made;',
    `const elements = (${elementTools})(document);`,
    `(${buildPage})(document, JSON.parse(document.getElementById("data").textContent), elements, (${chartTools})(elements), (${sampleTools})(elements));`,
  ].join('\n')
}

function sourceHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
