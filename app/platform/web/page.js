// What a page does around the window: its address, files, the clipboard, and sentences where it cannot start.
'use strict';
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
  drawn: (settled) => { if (said.textContent) said.textContent = ''; Module.settled = settled; },
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

addEventListener('paste', (event) => { Module.pastedText = event.clipboardData.getData('text'); });
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  for (const file of event.dataTransfer.files) Module.open(file);
});
addEventListener('contextmenu', (event) => event.preventDefault());
if (typeof WebAssembly !== 'object') Module.say('Warplens needs WebAssembly, which this browser has switched off.');
