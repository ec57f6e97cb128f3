package lsp

import "encoding/json"

// The part of the Language Server Protocol 3.17 that this package uses.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in the negotiated units
}

// A span is a Range of the protocol.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type folder struct {
	URI string `json:"uri"`
}

type initializeParams struct {
	RootURI      string             `json:"rootUri"`
	Folders      []folder           `json:"workspaceFolders"`
	Options      json.RawMessage    `json:"initializationOptions"`
	Capabilities clientCapabilities `json:"capabilities"`
}

type clientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		Configuration         bool `json:"configuration"`
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		WorkspaceEdit struct {
			ResourceOperations []string `json:"resourceOperations"`
		} `json:"workspaceEdit"`
		CodeLens struct {
			RefreshSupport bool `json:"refreshSupport"`
		} `json:"codeLens"`
	} `json:"workspace"`
	TextDocument struct {
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
	} `json:"textDocument"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

type serverCapabilities struct {
	PositionEncoding string `json:"positionEncoding"`
	TextDocumentSync struct {
		OpenClose bool `json:"openClose"`
		Change    int  `json:"change"`
		Save      bool `json:"save"`
	} `json:"textDocumentSync"`
	CompletionProvider struct {
		TriggerCharacters []string `json:"triggerCharacters"`
		ResolveProvider   bool     `json:"resolveProvider"`
	} `json:"completionProvider"`
	CodeActionProvider struct {
		CodeActionKinds []string `json:"codeActionKinds"`
	} `json:"codeActionProvider"`
	DefinitionProvider      bool          `json:"definitionProvider"`
	HoverProvider           bool          `json:"hoverProvider"`
	ReferencesProvider      bool          `json:"referencesProvider"`
	DocumentSymbolProvider  bool          `json:"documentSymbolProvider"`
	WorkspaceSymbolProvider bool          `json:"workspaceSymbolProvider"`
	DocumentLinkProvider    struct{}      `json:"documentLinkProvider"`
	CodeLensProvider        struct{}      `json:"codeLensProvider"`
	RenameProvider          renameOptions `json:"renameProvider"`
	Workspace               struct {
		WorkspaceFolders struct {
			Supported           bool `json:"supported"`
			ChangeNotifications bool `json:"changeNotifications"`
		} `json:"workspaceFolders"`
		FileOperations fileOperations `json:"fileOperations"`
	} `json:"workspace"`
}

const incremental = 2 // TextDocumentSyncKind

type registrationParams struct {
	Registrations []registration `json:"registrations"`
}

type registration struct {
	ID      string `json:"id"`
	Method  string `json:"method"`
	Options struct {
		Watchers []watcher `json:"watchers"`
	} `json:"registerOptions"`
}

type watcher struct {
	GlobPattern string `json:"globPattern"`
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []change `json:"contentChanges"`
}

// A change without a Range replaces the whole text.
type change struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

// documentParams are the parameters of didClose, didSave, completion, definition and codeAction.
type documentParams struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Position position `json:"position"`
	Range    span     `json:"range"`
	Context  struct {
		Only               []string `json:"only"`
		IncludeDeclaration bool     `json:"includeDeclaration"`
	} `json:"context"`
}

type configurationParams struct {
	Items []configurationItem `json:"items"`
}

type configurationItem struct {
	ScopeURI string `json:"scopeUri,omitempty"`
	Section  string `json:"section"`
}

type didChangeConfigurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

type markup struct {
	Kind  string `json:"kind"` // "markdown"
	Value string `json:"value"`
}

type documentLink struct {
	Range  span   `json:"range"`
	Target string `json:"target"`
}

type documentSymbol struct {
	Name      string           `json:"name"`
	Kind      symbolKind       `json:"kind"`
	Range     span             `json:"range"`
	Selection span             `json:"selectionRange"`
	Children  []documentSymbol `json:"children,omitempty"`
}

// A symbolInformation is a symbol of the workspace, or of a document for clients that know no tree.
type symbolInformation struct {
	Name     string     `json:"name"`
	Kind     symbolKind `json:"kind"`
	Location location   `json:"location"`
}

type symbolKind int

const symbolString symbolKind = 15 // as other servers have it for headings

type workspaceSymbolParams struct {
	Query string `json:"query"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type didChangeWatchedFilesParams struct {
	Changes []struct {
		URI  string `json:"uri"`
		Type int    `json:"type"`
	} `json:"changes"`
}

type didChangeWorkspaceFoldersParams struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    span           `json:"range"`
	Severity severity       `json:"severity"`
	Code     string         `json:"code"`
	About    rulePage       `json:"codeDescription,omitzero"`
	Source   string         `json:"source"`
	Message  string         `json:"message"`
	Data     diagnosticData `json:"data,omitzero"`
}

// A rulePage is a CodeDescription of the protocol: where the rule is documented.
type rulePage struct {
	URL string `json:"href"`
}

type diagnosticData struct {
	Suggestion string `json:"suggestion"`
}

type severity int

const (
	severityError severity = 1 + iota
	severityWarning
	severityInformation
)

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []any                 `json:"documentChanges,omitempty"`
}

type createFile struct {
	Kind string `json:"kind"` // "create"
	URI  string `json:"uri"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label      string   `json:"label"`
	Kind       itemKind `json:"kind"`
	SortText   string   `json:"sortText,omitempty"`
	FilterText string   `json:"filterText"`
	// Detail is the path of a document, and Documentation its title; once the item is resolved, also the first
	// lines, as markup.
	Detail        string    `json:"detail,omitempty"`
	Documentation any       `json:"documentation,omitempty"`
	TextEdit      textEdit  `json:"textEdit"`
	Data          *itemData `json:"data,omitempty"`
}

// An itemData says what an item points to: a file, and a line of it from 1, or 0.
type itemData struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

type itemKind int

const (
	itemFile      itemKind = 17
	itemReference itemKind = 18
	itemFolder    itemKind = 19
)

type logMessageParams struct {
	Type    severity `json:"type"`
	Message string   `json:"message"`
}
