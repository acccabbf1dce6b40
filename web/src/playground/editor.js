// The editor of scenes: CodeMirror with completion and help from the schema, and the reader's own messages in place.
import {autocompletion, completionKeymap, startCompletion} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {yaml} from '@codemirror/lang-yaml';
import {HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics} from '@codemirror/lint';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {EditorState} from '@codemirror/state';
import {EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {element} from '../elements.js';
import {describe, keysAt, valuesAt} from './help.js';
import {placeAt} from './place.js';

const inks = HighlightStyle.define([
  {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)'},
  {tag: [tags.string, tags.special(tags.string)], color: 'var(--good)'},
  {tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic'},
  {tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-soft)'},
]);

// Names that may follow `on:` and `between:`: those of the bodies.
const bodiesOf = text => {
  const section = /^bodies:[^\n]*\n((?:[ #][^\n]*\n|\n)*)/m.exec(`${text}\n`);
  return section ? [...section[1].matchAll(/^ {1,4}([\w-]+):/gm)].map(match => match[1]) : [];
};

function complete(schema, models) {
  const summaries = new Map(models);
  return context => {
    const text = context.state.doc.toString(), place = placeAt(text, context.pos);
    const word = context.matchBefore(/[\w.-]*/);
    if (word.from === word.to && !context.explicit && !/[{:,]\s*$|^\s*$/.test(text.slice(Math.max(0, context.pos - 3), context.pos))) return null;
    if (/#/.test(text.slice(text.lastIndexOf('\n', context.pos - 1) + 1, context.pos))) return null;
    const options = [];
    if (place.key === null && !place.list) {
      for (const {label, detail, required} of keysAt(schema, place))
        options.push({label, type: 'property', info: detail, apply: `${label}: `, boost: required ? 2 : 0, detail: required ? 'needed' : ''});
    } else {
      const key = place.key ?? place.path[place.path.length - 1], path = place.key === null ? place.path.slice(0, -1) : place.path;
      for (const {label, detail} of valuesAt(schema, {...place, path, key})) options.push({label, type: 'constant', info: summaries.get(label) ?? detail});
      if (key === 'on' || key === 'between') for (const label of bodiesOf(text)) options.push({label, type: 'variable', info: 'a body of this scene'});
    }
    return options.length > 0 ? {from: word.from, options, validFor: /^[\w.-]*$/} : null;
  };
}

function hover(schema) {
  return hoverTooltip((view, at) => {
    const text = view.state.doc.toString(), line = view.state.doc.lineAt(at);
    const key = [...line.text.matchAll(/([\w.-]+):/g)].find(match => line.from + match.index <= at && at <= line.from + match.index + match[1].length);
    if (!key) return null;
    const place = placeAt(text, line.from + key.index + key[0].length);
    const words = describe(schema, {...place, key: key[1]});
    return words && {pos: line.from + key.index, end: line.from + key.index + key[1].length, above: true,
                     create: () => ({dom: element('div', {class: 'help'}, element('b', {}, key[1]), ` ${words}`)})};
  });
}

const severities = ['info', 'warning', 'error'];

export class Editor {
  constructor(host, {schema, models, changed}) {
    this.view = new EditorView({
      parent: host,
      state: EditorState.create({
        doc: '',
        extensions: [
          lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), indentUnit.of('  '),
          yaml(), syntaxHighlighting(inks), autocompletion({override: [complete(schema, models)], icons: false}), hover(schema),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab]),
          EditorView.lineWrapping, EditorView.contentAttributes.of({'aria-label': 'Scene', spellcheck: 'false', autocapitalize: 'off'}),
          EditorView.updateListener.of(update => { if (update.docChanged && !this.silent) changed(); }),
        ],
      }),
    });
  }

  get text() { return this.view.state.doc.toString(); }

  // Another scene: what was typed before cannot be undone into it.
  set text(text) {
    this.silent = true;
    this.view.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}, selection: {anchor: 0}, scrollIntoView: true});
    this.silent = false;
  }

  // The place of a message: the word that begins there, or the line.
  range({line, column}) {
    const {doc} = this.view.state;
    if (!(line >= 1) || line > doc.lines) return {from: 0, to: Math.min(doc.length, doc.line(1).to)};
    const at = doc.line(line), from = Math.min(at.to, at.from + Math.max(0, column - 1));
    const word = /^[^\s,}\]]+/.exec(at.text.slice(from - at.from));
    return {from, to: Math.min(at.to, from + (word ? word[0].length : 1))};
  }

  mark(messages) {
    this.view.dispatch(setDiagnostics(this.view.state, messages.map(one => ({...this.range(one), severity: severities[one.severity], message: one.text}))));
  }

  show(message) {
    const {from} = this.range(message);
    this.view.dispatch({selection: {anchor: from}, effects: EditorView.scrollIntoView(from, {y: 'center'})});
    this.view.focus();
  }

  complete() { this.view.focus(); startCompletion(this.view); }
}
