// Whether a video is named by an address instead of a path or an id.
export function isAddress(given: string): boolean {
  return /^https?:\/\//i.test(given)
}

// The address of a moment, by what the site calls it; elsewhere as a media fragment, which plays from there or is ignored.
export function momentLink(address: string, seconds: number): string {
  const url = new URL(address)
  const whole = Math.floor(seconds)
  const site = url.hostname.replace(/^(www|m|music)\./, '')
  if (site === 'youtube.com' || site === 'youtu.be') url.searchParams.set('t', `${whole}s`)
  else if (site === 'dailymotion.com') url.searchParams.set('start', String(whole))
  else if (site === 'twitch.tv') url.searchParams.set('t', `${whole}s`)
  else url.hash = site === 'vimeo.com' ? `t=${whole}s` : `t=${whole}`
  return url.href
}
