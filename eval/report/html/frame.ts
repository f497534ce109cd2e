import { createHash } from 'node:crypto'

export interface PageParts {
  title: string
  style: string
  code: string // the only script that may run
  data: unknown // plain JSON, for the script
}

// One file that opens offline: no address in it is ever asked for, and only the script that we wrote may run.
export function framedPage({ title, style, code, data }: PageParts): string {
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
    `<title>${title}</title>`,
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
    /[<>&\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sourceHash(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
