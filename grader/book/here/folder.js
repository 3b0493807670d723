// Work as a folder: packed as a zip, and read again from a zip, a folder or single files.
"use strict";
const homeFolder = (() => {
  const MOST = 4 << 20; // bytes of a file that is read
  const LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50;
  const UTF8 = 0x800, STORED = 0, DEFLATED = 8, DAY = 0x21; // the first day of 1980, the earliest that a zip knows

  const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
  });
  const checksum = (bytes) => ~bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), -1) >>> 0;

  // Numbers of two or four bytes, the lowest first.
  const fields = (...pairs) => Uint8Array.from(pairs.flatMap(([size, value]) =>
    Array.from({ length: size }, (_, n) => Math.floor(value / 256 ** n) & 255)));

  // A zip of files that are stored as they are: path → text.
  function pack(texts) {
    const encode = (text) => new TextEncoder().encode(text), parts = [], index = [];
    let at = 0;
    for (const [path, text] of Object.entries(texts)) {
      const name = encode(path), data = encode(text);
      const about = fields([2, 20], [2, UTF8], [2, STORED], [2, 0], [2, DAY], [4, checksum(data)], [4, data.length],
        [4, data.length], [2, name.length], [2, 0]);
      parts.push(fields([4, LOCAL]), about, name, data);
      index.push(fields([4, CENTRAL], [2, 20]), about, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
      at += 4 + about.length + name.length + data.length;
    }
    const size = index.reduce((sum, part) => sum + part.length, 0), count = Object.keys(texts).length;
    const end = fields([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]);
    return new Blob([...parts, ...index, end], { type: "application/zip" });
  }

  // The files of a zip, stored or deflated: path and a function that reads the text.
  async function unpack(blob) {
    const bytes = new DataView(await blob.arrayBuffer()), long = (at) => bytes.getUint32(at, true), word = (at) => bytes.getUint16(at, true);
    let end = bytes.byteLength - 22;
    while (end >= 0 && long(end) !== END) end--;
    if (end < 0) throw new Error("no zip");
    const found = [];
    for (let count = word(end + 10), at = long(end + 16); count > 0; count--) {
      if (long(at) !== CENTRAL) throw new Error("damaged");
      const [how, packed, size, start] = [word(at + 10), long(at + 20), long(at + 24), long(at + 42)];
      const path = new TextDecoder().decode(new Uint8Array(bytes.buffer, at + 46, word(at + 28)));
      found.push({ path, size, async text() {
        const from = start + 30 + word(start + 26) + word(start + 28), raw = new Blob([new Uint8Array(bytes.buffer, from, packed)]);
        if (how !== STORED && how !== DEFLATED) throw new Error("packed in another way");
        return how === STORED ? raw.text() : inflated(raw.stream());
      } });
      at += 46 + word(at + 28) + word(at + 30) + word(at + 32);
    }
    return found;
  }
  // No more than so many bytes are unpacked, whatever the zip says of their number.
  async function inflated(stream) {
    const reader = stream.pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
    for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      size += next.value.length;
      if (size > MOST) throw new Error("too large");
    }
    return new Blob(parts).text();
  }

  // What a reader chose, as paths and texts: files, a folder, or zips.
  async function chosen(files) {
    const found = [];
    for (const file of files) {
      if (/\.zip$/i.test(file.name)) found.push(...await unpack(file));
      else found.push({ path: file.webkitRelativePath || file.name, size: file.size, text: () => file.text() });
    }
    return found;
  }

  // The texts of these names among the files: of several the one that lies highest, below `folder` first.
  async function pick(files, names, folder) {
    const found = {};
    for (const name of names) {
      const ends = files.filter(({ path, size }) => size <= MOST && (path === name || path.endsWith(`/${name}`)));
      const depth = ({ path }) => path.split("/").length - (`/${path}`.endsWith(`/${folder}/${name}`) ? 1.5 : 0);
      const [best] = ends.sort((a, b) => depth(a) - depth(b));
      if (best) found[name] = await best.text();
    }
    return found;
  }

  return { pack, chosen, pick };
})();
