// Texts that would run something where a text became an element, an attribute, an address or a script. Each of them leaves a trace
// when it does: `ranTraces` finds it.
const run = 'globalThis.ran=1'
const canary = '/ran-by-a-text'

const elements = [
  `<script>${run}</script>`,
  `<script src="${canary}.js"></script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${canary}.png">`,
  `<svg onload="${run}"></svg>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin="${run}" attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload='${run}'/>#x"></use></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<object data="${canary}.html"></object>`,
  `<embed src="${canary}.html">`,
  `<video src=x onerror="${run}"></video>`,
  `<video><source onerror="${run}"></video>`,
  `<audio src=x onerror="${run}"></audio>`,
  `<details open ontoggle="${run}">x</details>`,
  `<input autofocus onfocus="${run}">`,
  `<select autofocus onfocus="${run}"></select>`,
  `<body onload="${run}">`,
  `<style>@import "${canary}.css"</style>`,
  `<link rel=stylesheet href="${canary}.css">`,
  `<meta http-equiv=refresh content="0;url=${canary}">`,
  `<base href="http://evil.example/">`,
  `<form action="${canary}"><button autofocus>x</button></form>`,
  `<a href="javascript:${run}">x</a>`,
  `<math><mtext><img src=x onerror="${run}"></mtext></math>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror='${run}'>">`,
  `<div style="background:url(${canary}.png)">x</div>`,
  `<marquee onstart="${run}">x</marquee>`,
]
const breaks = [
  '',
  '">',
  "'>",
  '`>',
  '-->',
  ']]>',
  '</title>',
  '</textarea>',
  '</script>',
  '\u202E',
  '%22%3E',
  '&quot;&gt;',
]
const bare = [
  `javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `" onmouseover="${run}" x="`,
  `' onfocus='${run}' autofocus x='`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
  `');${run};//`,
  `";${run};//`,
  `\u0000<script>${run}</script>`,
  '\u001b]8;;http://evil.example/\u0007click\u001b]8;;\u0007',
  '\u202Egpj.exe\u202C \u2066hidden\u2069',
  '__proto__',
  'constructor',
  '{"type":"svg","props":{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=ran=1>"}}}',
]

// 200 and more: every element behind some way out of where a text may stand.
export const payloads: readonly string[] = [
  ...elements,
  ...bare,
  ...elements.flatMap((element, at) =>
    [1, 2, 3, 4, 5, 6].map(step => `${breaks[1 + ((at + step) % (breaks.length - 1))]}${element}`),
  ),
]

// Those that a file can be named after: no slash, no NUL, 200 bytes at most.
export const namePayloads: readonly string[] = [
  `<img src=x onerror="${run}">`,
  `"><svg onload="${run}">`,
  `' onfocus='${run}' autofocus x='`,
  `{{constructor.constructor('${run}')()}}`,
  `javascript:${run}`,
  '\u202Egpj.exe',
  '\u001b[31mred',
  'a\nb',
  '__proto__',
]

// Says what ran: nothing, where it is empty. `requested` are the addresses that the page has asked for.
export function ranTraces(ran: unknown, requested: readonly string[]): string[] {
  return [
    ...(ran === undefined ? [] : ['a script ran']),
    ...requested.filter(url => new URL(url).pathname.startsWith(canary)),
  ]
}
