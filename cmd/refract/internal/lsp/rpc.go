package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Error codes of JSON-RPC 2.0 and LSP.
const (
	parseError           = -32700
	invalidRequest       = -32600
	methodNotFound       = -32601
	invalidParams        = -32602
	serverNotInitialized = -32002
)

// A callError is the error of a request that failed.
type callError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *callError) Error() string { return e.Message }

// A message is a request or notification from the client, or its answer to a request.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// isRequest reports whether the client waits for an answer.
func (m *message) isRequest() bool { return len(m.ID) > 0 && string(m.ID) != "null" }

func (m *message) isAnswer() bool { return m.Method == "" && (m.Result != nil || m.Error != nil) }

// check returns an error if m is neither a request nor a notification.
func (m *message) check() error {
	switch {
	case m.Version != "2.0":
		return &callError{invalidRequest, `"jsonrpc" is not "2.0"`}
	case m.Method == "":
		return &callError{invalidRequest, "there is no method"}
	case m.isRequest() && (m.ID[0] == '{' || m.ID[0] == '[' || m.ID[0] == 't' || m.ID[0] == 'f'):
		return &callError{invalidRequest, "the id is neither a number nor a string"}
	case len(m.Params) > 0 && string(m.Params) != "null" && m.Params[0] != '{' && m.Params[0] != '[':
		return &callError{invalidRequest, "the parameters are neither an object nor an array"}
	}
	return nil
}

// An answer is the response to a request: a result or an error.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *callError      `json:"error,omitempty"`
}

// newAnswer returns the answer to the request with this id; nil if the message has no id.
func newAnswer(id json.RawMessage, result any, err error) *answer {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	a := &answer{Version: "2.0", ID: id}
	if err == nil {
		a.Result, err = json.Marshal(result)
	}
	if err != nil {
		failed, ok := err.(*callError)
		if !ok {
			failed = &callError{invalidParams, err.Error()}
		}
		a.Result, a.Error = nil, failed
	}
	return a
}

// answers returns the response to a message of the client: one answer, a list of answers to a batch, or
// nil. It handles the messages of a batch in order. Answers of the client go to answered.
func answers(text []byte, handle func(*message) (any, error), answered func(*message)) any {
	text = bytes.TrimSpace(text)
	if len(text) > 0 && text[0] == '[' {
		var batch []json.RawMessage
		if err := json.Unmarshal(text, &batch); err != nil {
			return newAnswer(nil, nil, &callError{parseError, err.Error()})
		}
		if len(batch) == 0 {
			return newAnswer(nil, nil, &callError{invalidRequest, "the batch is empty"})
		}
		var all []*answer
		for _, one := range batch {
			if a := answerTo(one, handle, answered); a != nil {
				all = append(all, a)
			}
		}
		if all == nil {
			return nil
		}
		return all
	}
	if a := answerTo(text, handle, answered); a != nil {
		return a
	}
	return nil
}

// answerTo handles one message. Only requests and invalid messages get an answer.
func answerTo(text []byte, handle func(*message) (any, error), answered func(*message)) *answer {
	if !json.Valid(text) {
		return newAnswer(nil, nil, &callError{parseError, "the message is not JSON"})
	}
	var m message
	err := error(nil)
	if json.Unmarshal(text, &m) != nil {
		err = &callError{invalidRequest, "the message is not a request"}
	} else if m.isAnswer() {
		answered(&m)
		return nil
	} else {
		err = m.check()
	}
	if err != nil {
		return newAnswer(nil, nil, err)
	}
	result, err := handle(&m)
	if !m.isRequest() {
		return nil
	}
	return newAnswer(m.ID, result, err)
}

// An output sends messages to the client, one at a time.
type output struct {
	mu sync.Mutex
	w  io.Writer
	id int // of the last request sent
}

// send frames and writes a message. It ignores errors: if the client is gone, nobody needs the
// message.
func (o *output) send(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(text)), text...))
}

// notify sends a notification.
func (o *output) notify(method string, params any) {
	o.send(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

// call sends a request without waiting for the answer, and returns its id.
func (o *output) call(method string, params any) (id int) {
	o.mu.Lock()
	o.id++
	id = o.id
	o.mu.Unlock()
	o.send(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
	return id
}
