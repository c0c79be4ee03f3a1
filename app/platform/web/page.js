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

  var Module = {
    canvas: document.getElementById('canvas'),
    askedFor: sceneOf(location.hash),
    say: (words) => { said.textContent = words; },
    drawn: (settled) => {
      if (!Module.started) said.textContent = '';
      Module.started = true;
      Module.settled = settled;
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
  const engine = document.getElementById('engine');
  if (engine) {
    const packed = Uint8Array.from(atob(engine.textContent), (c) => c.charCodeAt(0));
    engine.remove();
    Module.instantiateWasm = (imports, done) => {
      new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()
          .then((bytes) => WebAssembly.instantiate(bytes, imports))
          .then(({instance, module}) => done(instance, module))
          .catch((error) => Module.say('Warplens cannot start: ' + error.message));
      return {};
    };
  }
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

  addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text');
    Module.pastedText = text.includes('#s=') ? sceneOf(text.slice(text.indexOf('#'))) : text;
  });
  // Another link of the same page.
  addEventListener('hashchange', () => location.reload());
  addEventListener('pointerdown', () => { if (Module.started) said.textContent = ''; });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) Module.open(file);
  });
  addEventListener('contextmenu', (event) => event.preventDefault());
  if (typeof WebAssembly !== 'object') Module.say('Warplens needs WebAssembly, which this browser has switched off.');
}
