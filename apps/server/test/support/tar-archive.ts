/** A tar archive (POSIX ustar) of files by path, as `git archive` would make it. */
export function tarArchive(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text)
    const header = Buffer.alloc(512)
    header.write(path, 0, 100)
    header.write('0000644\0', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('15154401600\0', 136)
    header.write('0', 156)
    header.write('ustar\u000000', 257)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}
