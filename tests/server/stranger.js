// What a page of a stranger tries, by name, and what it got. It runs in the browser.
globalThis.attack = async ({ server, source, token, tag, stranger }) => {
  const got = {}
  const to = (name, path = '/api/health') => `${server}${path}?attack=${tag}-${name}`
  const settled = work => Promise.race([new Promise(work), new Promise(done => setTimeout(done, 1500, 'nothing'))])
  const reads = async (name, init, path) => {
    const reading = fetch(to(name, path), init).then(reply => reply.text())
    got[name] = await reading.catch(() => 'nothing')
  }
  const make = (name, given = {}) => Object.assign(document.createElement(name), given)
  const loads = async (name, element, path) => {
    got[name] = await settled(done => {
      const isFrame = element instanceof HTMLIFrameElement || element instanceof HTMLObjectElement
      element.onload = () => done(isFrame || element instanceof HTMLEmbedElement ? 'nothing' : 'loaded')
      element.onloadedmetadata = () => done('loaded')
      element.onerror = () => done('nothing')
      const address = { link: 'href', object: 'data' }[element.localName] ?? 'src'
      element[address] = to(name, path)
      document.body.append(element)
    })
  }
  const opens = async (name, source) => {
    got[name] = await settled(done => {
      source.onopen = () => done('opened')
      source.onerror = () => done('nothing')
    })
    source.close()
  }
  const submits = (name, form) => {
    const frame = make('iframe', { name: `${tag}-${name}-frame` })
    const sent = make('form', { ...form, action: to(name, '/api/videos'), target: frame.name })
    sent.append(make('input', { name: 'attack', value: `${tag}-${name}` })) // a form replaces the query
    document.body.append(frame, sent)
    sent.submit()
  }
  const json = { 'content-type': 'application/json' }
  const bearer = { authorization: `Bearer ${token}` }
  const body = '{"path":"a.mp4"}'
  submits('form-get', { method: 'get' })
  submits('form-post', { method: 'post', enctype: 'text/plain' })
  navigator.sendBeacon(to('beacon', '/api/videos'), body)
  await Promise.all([
    reads('fetch'),
    reads('fetch-source', undefined, source),
    reads('fetch-no-cors', { mode: 'no-cors' }),
    reads('fetch-with-token', { headers: bearer }, '/api/videos'),
    reads('post-no-cors', { mode: 'no-cors', method: 'POST', body }, '/api/videos'),
    reads('post-with-token', { method: 'POST', headers: { ...json, ...bearer }, body }, '/api/videos'),
    reads('mcp', { mode: 'no-cors', method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, '/mcp'),
    reads('v1', { mode: 'no-cors', method: 'POST', body: '{}' }, '/v1/chat/completions'),
    reads('delete', { method: 'DELETE', headers: bearer }, '/api/jobs/j0'),
    fetch(`${stranger}/?to=${encodeURIComponent(to('redirect'))}`, { mode: 'no-cors' }).catch(() => {}),
    loads('img', make('img'), source),
    loads('script', make('script')),
    loads('module', make('script', { type: 'module' })),
    loads('style', make('link', { rel: 'stylesheet' })),
    loads('prefetch', make('link', { rel: 'prefetch' })),
    loads('video', make('video', { muted: true, preload: 'auto' }), source),
    loads('audio', make('audio', { preload: 'auto' }), source),
    loads('iframe', make('iframe')),
    loads('iframe-page', make('iframe'), '/'),
    loads('embed', make('embed')),
    loads('object', make('object')),
    opens('events', new EventSource(to('events', '/live/x/events'))),
    opens('socket', new WebSocket(to('socket', '/api/events').replace('http', 'ws'))),
    new Promise(done => setTimeout(done, 500)), // the forms and the beacon
  ])
  for (const frame of document.querySelectorAll('iframe')) {
    try {
      const read = frame.contentDocument.body.innerText
      if (read !== '') got[frame.src || frame.name] = read
    } catch {} // another origin, as it must be
  }
  return got
}
