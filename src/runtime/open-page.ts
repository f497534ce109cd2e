import { openInBrowser } from '../media/program/open-in-browser.ts'
import { writeOpenFile } from '../store/serve/open-file.ts'

// Opens the page in the browser of this desktop.
export async function openPage(
  home: string,
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ opened: boolean; close(): Promise<void> }> {
  const { file, remove } = await writeOpenFile(home, address)
  return { opened: await openInBrowser(file, environment), close: remove }
}
