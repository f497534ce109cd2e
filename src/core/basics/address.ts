// Whether a video is named by an address instead of a path or an id.
export function isAddress(given: string): boolean {
  return /^https?:\/\//i.test(given)
}

// Parameters that name a public video, by site.
const namesVideo: Record<string, string> = { 'youtube.com': 'v', 'bilibili.com': 'p' }

// An address as it may be stored and shown: without a user, a password and the values of its query, any of which may be a secret.
// Parameters keep their names, so that it is seen that something is missing.
export function publicAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) return address.replace(/[?#].*/s, '').replace(/^([a-z]+:\/\/)[^/]*@/i, '$1')
  const own = namesVideo[siteOf(url)]
  url.username = ''
  url.password = ''
  url.hash = ''
  for (const name of new Set(url.searchParams.keys()))
    if (name !== own || !/^[\w-]{1,20}$/.test(url.searchParams.get(name) ?? '')) url.searchParams.set(name, 'redacted')
  return url.href
}

function siteOf({ hostname }: URL): string {
  return hostname.replace(/^(www|m|music)\./, '')
}

// The address of a moment, by what the site calls it; elsewhere as a media fragment, which plays from there or is ignored.
export function momentLink(address: string, seconds: number): string {
  const url = new URL(address)
  const whole = Math.floor(seconds)
  const site = siteOf(url)
  if (site === 'youtube.com' || site === 'youtu.be') url.searchParams.set('t', `${whole}s`)
  else if (site === 'dailymotion.com') url.searchParams.set('start', String(whole))
  else if (site === 'twitch.tv') url.searchParams.set('t', `${whole}s`)
  else url.hash = site === 'vimeo.com' ? `t=${whole}s` : `t=${whole}`
  return url.href
}
