package project

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Actions of others are pinned by commit. A job that may write or sign has no code of the repository or of its dependencies.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../../action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^[\s-]*uses: (.*)$`).FindAllStringSubmatch(string(text), -1) {
			if !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(m[1]) {
				t.Errorf("%s: %s is not pinned by commit, with its tag in a comment", file, m[1])
			}
		}
	}
	for _, file := range files {
		checkJobs(t, file)
	}
}

func checkJobs(t *testing.T, file string) {
	t.Helper()
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct {
				Uses, Run string
				With      map[string]string
			}
		}
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, &workflow)
	}
	if err != nil || workflow.Permissions == nil {
		t.Fatalf("%s: %v: permissions are %v", file, err, workflow.Permissions)
	}
	for name, job := range workflow.Jobs {
		mayWrite := false
		for _, granted := range []map[string]string{workflow.Permissions, job.Permissions} {
			for _, level := range granted {
				mayWrite = mayWrite || level == "write"
			}
		}
		for _, s := range job.Steps {
			isCheckout := strings.HasPrefix(s.Uses, "actions/checkout@")
			if isCheckout && s.With["persist-credentials"] != "false" {
				t.Errorf("%s: job %s leaves its token in the checkout", file, name)
			}
			if mayWrite && (isCheckout || regexp.MustCompile(`\.ci/|\bgo `).MatchString(s.Run)) {
				t.Errorf("%s: job %s may write, and has the code of the repository", file, name)
			}
		}
	}
}
