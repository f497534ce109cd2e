// Whether a video is named by an address instead of a path or an id.
export function isAddress(given: string): boolean {
  return /^https?:\/\//i.test(given)
}

// A host of a URL or of a setting. A name that only begins as an address does is another machine.
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

// Parameters that name a public video, by site.
const namesVideo: Record<string, string> = { 'youtube.com': 'v', 'bilibili.com': 'p' }

// An address as it may be stored and shown: without a user, a password and the values of its query, any of which may be a secret.
// Parameters with a value keep their names, so that it is seen that something is missing.
export function publicAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) return address.replace(/[?#].*/s, '').replace(/^([a-z]+:\/\/).*@/i, '$1')
  const videoParameters = namesVideo[trimSite(url)]
  url.username = ''
  url.password = ''
  url.hash = ''
  url.search = url.search
    .slice(1)
    .split('&')
    .map(part => shownParameter(part, videoParameters))
    .filter((part, at, all) => all.indexOf(part) === at)
    .join('&')
  return url.href
}

// What has no name is a value as a whole: some sites sign with it.
function shownParameter(part: string, own: string | undefined): string {
  const end = part.indexOf('=')
  if (end < 0) return part === '' ? '' : 'redacted'
  const [name, value] = [part.slice(0, end), part.slice(end + 1)]
  return `${name}=${name === own && /^[\w-]{1,20}$/.test(value) ? value : 'redacted'}`
}

function trimSite({ hostname }: URL): string {
  return hostname.replace(/^(www|m|music)\./, '')
}

// The address of a moment, by what the site calls it; elsewhere as a media fragment, which plays from there or is ignored.
export function momentLink(address: string, seconds: number): string {
  const url = new URL(address)
  const whole = Math.floor(seconds)
  const site = trimSite(url)
  if (site === 'youtube.com' || site === 'youtu.be') url.searchParams.set('t', `${whole}s`)
  else if (site === 'dailymotion.com') url.searchParams.set('start', String(whole))
  else if (site === 'twitch.tv') url.searchParams.set('t', `${whole}s`)
  else url.hash = site === 'vimeo.com' ? `t=${whole}s` : `t=${whole}`
  return url.href
}
