package lsp

import "encoding/json"

// The types here are those of the protocol that the server reads or writes, with the protocol's
// names of fields.
type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	textRange struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string    `json:"uri"`
		Range textRange `json:"range"`
	}
	textEdit struct {
		Range   textRange `json:"range"`
		NewText string    `json:"newText"`
	}
	workspaceEdit struct {
		Changes map[string][]textEdit `json:"changes"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hoverResult struct {
		Contents markup    `json:"contents"`
		Range    textRange `json:"range"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	diagnostic struct {
		Range    textRange `json:"range"`
		Severity int       `json:"severity"`
		Code     string    `json:"code"`
		Source   string    `json:"source"`
		Message  string    `json:"message"`
		Related  []related `json:"relatedInformation,omitempty"`
	}
	publishParams struct {
		URI         string       `json:"uri"`
		Version     int          `json:"version"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	codeAction struct {
		Title       string        `json:"title"`
		Kind        string        `json:"kind"`
		Diagnostics []diagnostic  `json:"diagnostics"`
		Edit        workspaceEdit `json:"edit"`
	}
	completionItem struct {
		Label  string    `json:"label"`
		Kind   int       `json:"kind"`
		Detail string    `json:"detail,omitempty"`
		Doc    *markup   `json:"documentation,omitempty"`
		Sort   string    `json:"sortText,omitempty"`
		Edit   *textEdit `json:"textEdit,omitempty"`
	}
	completionList struct {
		Incomplete bool             `json:"isIncomplete"`
		Items      []completionItem `json:"items"`
	}
	parameterInfo struct {
		Label string `json:"label"`
	}
	signatureInfo struct {
		Label      string          `json:"label"`
		Doc        *markup         `json:"documentation,omitempty"`
		Parameters []parameterInfo `json:"parameters"`
	}
	signatureResult struct {
		Signatures []signatureInfo `json:"signatures"`
		Signature  int             `json:"activeSignature"`
		Parameter  int             `json:"activeParameter"`
	}
	inlayHint struct {
		Position position `json:"position"`
		Label    string   `json:"label"`
		Kind     int      `json:"kind"`
	}
	documentSymbol struct {
		Name      string           `json:"name"`
		Detail    string           `json:"detail,omitempty"`
		Kind      int              `json:"kind"`
		Range     textRange        `json:"range"`
		Selection textRange        `json:"selectionRange"`
		Children  []documentSymbol `json:"children,omitempty"`
	}
	tokenData struct {
		Data []int `json:"data"`
	}
)

// What clients send.
type (
	initializeParams struct {
		Capabilities struct {
			General struct {
				Encodings []string `json:"positionEncodings"`
			} `json:"general"`
		} `json:"capabilities"`
		Options struct {
			Pedantic bool `json:"pedantic"`
		} `json:"initializationOptions"`
	}
	openParams struct {
		Document struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	changeParams struct {
		Document documentID `json:"textDocument"`
		Changes  []struct {
			Range *textRange `json:"range"`
			Text  string     `json:"text"`
		} `json:"contentChanges"`
	}
	documentID struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	}
	// A placeParams has the fields of all requests about a place or a part of a document; those
	// that a request does not have are zero.
	placeParams struct {
		Document documentID `json:"textDocument"`
		Position position   `json:"position"`
		Range    textRange  `json:"range"`
		NewName  string     `json:"newName"`
		Context  struct {
			Declaration bool `json:"includeDeclaration"`
		} `json:"context"`
	}
)

func decode[T any](raw json.RawMessage) (T, error) {
	var v T
	if len(raw) == 0 {
		return v, nil
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, failf(invalidParams, "the parameters cannot be read: %v", err)
	}
	return v, nil
}
