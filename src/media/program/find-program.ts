import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

// The path of a program: LONGTAKE_<NAME> (as LONGTAKE_FFMPEG) if set, else the first on PATH; undefined if there is none.
export async function findProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const chosen = environment[programVariable(name)]
  if (chosen) return (await isProgram(chosen)) ? chosen : undefined
  const endings = process.platform === 'win32' ? ['.exe', ''] : ['']
  // A relative folder on PATH is the working folder or below it: programs there may have come with a stranger's videos.
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    for (const ending of endings) {
      const path = join(folder, name + ending)
      if (await isProgram(path)) return path
    }
  }
}

// The environment variable that names another program to use: "pocketsphinx_continuous" -> LONGTAKE_POCKETSPHINX_CONTINUOUS.
export function programVariable(name: string): string {
  return `LONGTAKE_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
}

const debianPackages: Record<string, string> = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  pocketsphinx_continuous: 'pocketsphinx pocketsphinx-en-us',
  flite: 'flite',
  'espeak-ng': 'espeak-ng',
  bwrap: 'bubblewrap',
  'yt-dlp': 'yt-dlp',
}

// How to install a program that is missing.
export function howToInstall(name: string): string {
  const install = debianPackages[name]
    ? `Install it (Debian, Ubuntu: apt-get install -y ${debianPackages[name]})`
    : 'Install it'
  return `${install}, or set ${programVariable(name)} to where it lies.`
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
