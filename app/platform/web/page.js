// What a page does around the window: its address, files, the clipboard, and sentences where it cannot start.
'use strict';
{  // the engine's script has names of its own
  const said = document.getElementById('said');
  const toBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const fromBase64 = (text) => new TextDecoder().decode(
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)));
  // A scene, or the name of a scenario or a lesson.
  const sceneOf = (fragment) => {
    try {
      const text = decodeURIComponent(fragment.replace(/^#/, ''));
      return text.startsWith('s=') ? fromBase64(text.slice(2)) : text;
    } catch {
      return fragment;
    }
  };
  const mostBytes = 256 * 2 ** 20;

  const unpacked = (stream) => new Response(stream.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  // The bytes of an element that an exported page carries; absent in others.
  const carriedBytes = (id) => {
    const element = document.getElementById(id);
    if (!element) return null;
    const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
    element.remove();
    return new Blob([bytes]).stream();
  };
  // Each file of a tar archive: a header of 512 bytes, which begins with its name and has its size in octal digits
  // at 124, and its bytes, filled up to 512.
  const fetchRecordings = async () => {
    let stream = carriedBytes('recordings');
    if (!stream) {
      const answer = await fetch('warplens.data');
      if (!answer.ok) throw new Error('warplens.data, ' + answer.status);
      stream = answer.body;
    }
    const bytes = new Uint8Array(await unpacked(stream));
    const text = (from, length) => new TextDecoder().decode(bytes.subarray(from, from + length)).split('\0')[0];
    Module.FS.mkdirTree('/fetched/sweeps');
    for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0;) {
      const size = parseInt(text(at + 124, 12), 8);
      Module.FS.writeFile('/fetched/' + text(at, 100), bytes.subarray(at + 512, at + 512 + size));
      at += 512 + Math.ceil(size / 512) * 512;
    }
    Module.ccall('recordingsCame');
  };

  var Module = {
    canvas: document.getElementById('canvas'),
    askedFor: sceneOf(location.hash),
    say: (words) => { said.textContent = words; },
    drawn: (settled) => {
      if (!Module.started) {
        said.textContent = '';
        fetchRecordings().catch((error) => Module.say('The recordings cannot be had: ' + error.message))
            .finally(() => { Module.hasFetched = true; });
      }
      Module.started = true;
      Module.settled = settled && Module.hasFetched;
    },
    linkTo: (scene) => location.href.split('#')[0] + '#s=' + toBase64(scene),
    copyText: (text) => {
      Module.pastedText = text;
      const byHand = () => {
        const field = document.createElement('textarea');
        field.value = text;
        document.body.append(field);
        field.select();
        document.execCommand('copy');
        field.remove();
        Module.canvas.focus();
      };
      navigator.clipboard ? navigator.clipboard.writeText(text).catch(byHand) : byHand();
    },
    open: async (file) => {
      if (file.size > mostBytes) {
        Module.say(file.name + ' has ' + file.size + ' bytes; a page opens at most ' + mostBytes + '.');
        return;
      }
      const path = '/opened/' + file.name;
      Module.FS.mkdirTree('/opened');
      Module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      Module.ccall('openFile', null, ['string'], [path]);
    },
    print: (words) => console.log(words),
    printErr: (words) => console.error(words),
    onAbort: (why) => Module.say('Warplens has ended: ' + why),
  };

  // An exported page has what it shows, and the engine, within itself.
  const carried = document.getElementById('document');
  if (carried) Module.carriedDocument = carried.textContent;
  const engine = carriedBytes('engine');
  const fetchEngine = async () => {
    if (location.protocol === 'file:')
      throw new Error('this folder needs a web server. A page of `warplens export` is one file that opens without.');
    const answer = await fetch('warplens.wasm');
    if (!answer.ok) throw new Error('warplens.wasm, ' + answer.status);
    // Compiled while it comes, where the server names its type.
    return answer.headers.get('Content-Type') === 'application/wasm' ? WebAssembly.compileStreaming(answer)
        : WebAssembly.compile(await answer.arrayBuffer());
  };
  // From here on, not once the script is there that wants it.
  const compiled = typeof WebAssembly !== 'object' ? Promise.reject(new Error('no WebAssembly'))
      : engine ? unpacked(engine).then((bytes) => WebAssembly.compile(bytes)) : fetchEngine();
  compiled.catch(() => {});
  Module.instantiateWasm = (imports, done) => {
    compiled.then(async (module) => done(await WebAssembly.instantiate(module, imports), module))
        .catch((error) => Module.say('Warplens cannot start: ' + error.message));
    return {};
  };
  const query = new URLSearchParams(location.search);
  Module.preRun = [];
  // Where the window describes itself, for tests (StateFile).
  if (query.has('state')) Module.preRun.push(() => { ENV.WARPLENS_STATE_FILE = '/state.json'; });
  // A hosted page opens a document that lies beside it.
  const toOpen = query.get('open');
  if (toOpen) {
    Module.preRun.push(() => {
      addRunDependency('document');
      fetch(toOpen).then((answer) => answer.ok ? answer.text() : Promise.reject(new Error(answer.status)))
          .then((text) => { Module.carriedDocument = text; removeRunDependency('document'); })
          .catch((error) => Module.say(toOpen + ' cannot be opened: ' + error.message));
    });
  }

  // A phone's keyboard comes up for a field of the page: what it types, composes and deletes there goes on to the window.
  const field = document.createElement('input');
  Object.assign(field, {id: 'typed', autocomplete: 'off', autocapitalize: 'off', spellcheck: false, tabIndex: -1});
  field.setAttribute('aria-label', 'Typed into the window');
  document.body.append(field);
  let typed = '';
  const nothing = ' ';  // which a backspace deletes
  const clear = () => { field.value = typed = nothing; };
  Module.askForText = (wanted, y) => {
    if (!wanted) return field.blur();
    field.style.top = y + 'px';  // what is tapped stays in view
    clear();
    field.focus();
  };
  field.addEventListener('input', () => {
    let same = 0;
    while (same < typed.length && typed[same] === field.value[same]) ++same;
    for (let at = same; at < typed.length; ++at) Module.ccall('typeLetter', null, ['number'], [8]);
    for (const letter of field.value.slice(same)) Module.ccall('typeLetter', null, ['number'], [letter.codePointAt(0)]);
    typed = field.value;
    if (!typed) clear();
  });

  addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text');
    Module.pastedText = text.includes('#s=') ? sceneOf(text.slice(text.indexOf('#'))) : text;
  });
  // Another link of the same page.
  addEventListener('hashchange', () => location.reload());
  // Of a page that is put away on a phone only the first is certain.
  for (const name of ['visibilitychange', 'pagehide'])
    addEventListener(name, () => { if (Module.started) Module.ccall('keepSettings'); });
  addEventListener('pointerdown', () => { if (Module.started) said.textContent = ''; });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) Module.open(file);
  });
  addEventListener('contextmenu', (event) => event.preventDefault());
  // A function that ends in a call of itself, which the engine is made of.
  const tailCall = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 6, 1, 4, 0, 18, 0, 11);
  const lacks = typeof WebAssembly !== 'object' ? 'WebAssembly, which this browser has switched off.'
      : !WebAssembly.validate(tailCall) ? 'tail calls of WebAssembly, which this browser is too old for.' : '';
  if (lacks) {
    Module.say('Warplens needs ' + lacks);
    Module.instantiateWasm = () => ({});  // nothing starts
  }
}
