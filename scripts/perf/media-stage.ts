const off = ['picture', 'text', 'speech', 'sound'].map(track => `--set index.tracks.${track}=false`).join(' ')

// A line for the shell that runs the media stage alone over a file, as the command does it, in a home of its own that is thrown away.
export function mediaStage(file: string, settings: Record<string, string | number> = {}): string {
  const set = Object.entries(settings).map(([name, value]) => `--set index.${name}=${value}`)
  const index = `LONGTAKE_HOME="$home" node bin/longtake.mjs index ${quote(file)} --json --quiet ${off} ${set.join(' ')}`
  return `home=$(mktemp -d) && ${index}; code=$?; rm -rf "$home"; (exit $code)`
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
