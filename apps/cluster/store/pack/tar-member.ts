import { blockSize } from '../../../../src/store/archive/tar-header.ts'

// A header that every tar reads. Nothing of this machine stands in it: no owner, no time.
export function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(blockSize)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name of a member is too long for a pack: ${name}`)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (bytes < 8 ** 11) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80 // the number itself, in base 256
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write('00000000000\0', 136)
  header.write('        0', 148) // the sum is taken over blanks in its place; then the type
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

export const tarEnd = Buffer.alloc(2 * blockSize)
