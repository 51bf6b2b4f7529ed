package dev.heddle.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.process.EscapingDaemon;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs can write the configuration, the attributes and the hooks of their repository, and git runs the programs that
 * these name. None of them must run when the node uses git. The settings are all that git 2.39 to 2.51 document
 * (git-config, gitattributes, githooks), whether or not the node's commands use them today.
 */
class HostileRepositoryTest {

    /** Settings whose value is a command line. The name of the setting is the argument of the trap. */
    private static final List<String> COMMANDS = List.of("core.fsmonitor", "core.sshCommand", "core.gitProxy",
            "core.askPass", "core.editor", "core.pager", "core.alternateRefsCommand", "sequence.editor",
            "diff.external", "diff.trap.command", "diff.trap.textconv", "merge.trap.driver", "filter.trap.clean",
            "filter.trap.smudge", "filter.a=b.clean", "filter.A b.smudge", "filter.long.process", "gpg.program",
            "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand", "credential.helper",
            "credential.https://git.example.helper", "remote.origin.uploadpack", "remote.origin.receivepack",
            "uploadpack.packObjectsHook", "interactive.diffFilter", "trailer.trap.command", "trailer.trap.cmd",
            "alias.status", "alias.trap", "pager.status", "difftool.trap.cmd", "mergetool.trap.cmd", "man.trap.cmd",
            "browser.trap.cmd", "sendemail.smtpServer", "imap.tunnel", "hook.trap.command", "submodule.sub.update",
            "lsrefs.trap", "receive.procReceiveRefs");

    /** Settings that make git use those above. */
    private static final Map<String, String> SWITCHES = Map.ofEntries(Map.entry("commit.gpgSign", "true"),
            Map.entry("tag.gpgSign", "true"), Map.entry("log.showSignature", "true"),
            Map.entry("submodule.recurse", "true"), Map.entry("submodule.sub.ignore", "none"),
            Map.entry("submodule.sub.active", "true"), Map.entry("diff.ignoreSubmodules", "none"),
            Map.entry("status.submoduleSummary", "true"), Map.entry("protocol.allow", "always"),
            Map.entry("protocol.ext.allow", "always"), Map.entry("gc.auto", "1"), Map.entry("gc.autoDetach", "true"),
            Map.entry("maintenance.auto", "true"), Map.entry("hook.trap.event", "post-checkout"),
            Map.entry("filter.trap.required", "true"), Map.entry("filter.long.required", "true"),
            Map.entry("core.untrackedCache", "true"), Map.entry("pull.rebase", "true"));

    private static final List<String> HOOKS = List.of("applypatch-msg", "pre-applypatch", "post-applypatch",
            "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase",
            "post-checkout", "post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive",
            "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite",
            "sendemail-validate", "fsmonitor-watchman", "p4-pre-submit", "post-index-change");

    @TempDir
    Path directory;
    private GitRepo repo;
    private WorktreePool worktrees;
    private Path trap;
    private final JobId job = JobId.next();

    @BeforeEach
    void open() throws IOException {
        directory = directory.toRealPath();
        repo = GitRepo.at(directory.resolve("app"), 3);
        worktrees = WorktreePool.open(WorktreePool.Settings.in(directory.resolve("trees")));
        Files.createDirectory(directory.resolve("ran"));
        trap = script("trap", "echo \"$0 $*\" > '" + directory.resolve("ran") + "'/\"$(echo \"$1\" | tr / .)\"; cat");
    }

    @AfterEach
    void close() {
        worktrees.close();
    }

    private Path script(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + content + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private List<String> ran() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("ran"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Sets every trap in the repository to which the directory belongs. */
    private void setTraps(GitRepo where) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(SWITCHES);
        COMMANDS.forEach(key -> settings.put(key, (key.endsWith("update") ? "!" : "") + trap + " '" + key + "'"));
        settings.put("remote.origin.url", "ext::" + trap + " remote.origin.url");
        Path git = Path.of(where.git("rev-parse", "--path-format=absolute", "--git-common-dir"));
        StringBuilder config = new StringBuilder();
        settings.forEach((key, value) -> {
            int first = key.indexOf('.');
            int last = key.lastIndexOf('.');
            config.append('[').append(key, 0, first)
                    .append(first == last ? "" : " \"" + key.substring(first + 1, last) + "\"").append("]\n\t")
                    .append(key.substring(last + 1)).append(" = \"").append(value).append("\"\n");
        });
        Path included = Files.writeString(directory.resolve("included"), config.toString());
        Files.writeString(git.resolve("config"),
                Files.readString(git.resolve("config")) + "[include]\n\tpath = " + included + "\n");
        Files.createDirectories(git.resolve("info"));
        Files.writeString(git.resolve("info/attributes"), """
                * filter=trap diff=trap merge=trap
                *.equals filter=a=b
                *.long filter=long
                """);
        Files.createDirectories(git.resolve("hooks"));
        for (String hook : HOOKS) {
            Path file = git.resolve("hooks").resolve(hook);
            Files.writeString(file, "#!/bin/sh\nexec '" + trap + "' hook-" + hook + "\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
    }

    @Test
    void runsNothingThatARepositoryNames() throws IOException {
        repo.write("x.equals", "1\n");
        repo.write("x.long", "1\n");
        String first = repo.commit("second");
        repo.write("README", "third\n");
        repo.commit("third");
        setTraps(repo);
        Files.writeString(repo.path().resolve("README"), "uncommitted\n");

        assertThat(WorktreePool.hasUncommittedChanges(repo.path())).isTrue();
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        assertThat(tree.path().resolve("README")).hasContent("third");
        for (String file : List.of("README", "x.equals", "x.long", "new.long", "new")) {
            Files.writeString(tree.path().resolve(file), "by the job\n");
        }
        SavedWork saved = worktrees.release(tree).orElseThrow();
        Worktree again = worktrees.acquire(repo.path(), first, job, 2);
        assertThat(again.path()).as("a spare").isEqualTo(tree.path());
        assertThat(again.path().resolve("README")).hasContent("hello");
        worktrees.release(again);
        WorktreePool.deleteSaved(repo.path(), saved.ref());
        worktrees.close();

        assertThat(ran()).isEmpty();
        assertThat(repo.git("-c", "core.fsmonitor=false", "cat-file", "-p", saved.commit() + ":x.long"))
                .isEqualTo("by the job");
    }

    @Test
    void runsNothingToShowWhatAJobHasChanged() throws IOException {
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        GitRepo.at(tree.path().resolve("sub"), 1);
        for (String file : List.of("README", "x.equals", "x.long", "new")) {
            Files.writeString(tree.path().resolve(file), "by the job\n");
        }
        Files.writeString(tree.path().resolve(".gitattributes"), "* diff=trap filter=trap\n");
        SavedWork saved = worktrees.release(tree).orElseThrow();
        setTraps(repo);
        repo.write(".git/config", Files.readString(repo.path().resolve(".git/config"))
                + "[diff]\n\tsubmodule = diff\n\torderFile = " + trap + "\n\tnoprefix = true\n");
        String fake = repo.git("-c", "core.fsmonitor=false", "rev-parse", saved.base());
        Path replaced = repo.path().resolve(".git/refs/replace").resolve(saved.commit());
        Files.createDirectories(replaced.getParent());
        Files.writeString(replaced, fake + "\n");

        SavedDiff diff = SavedDiff.read(saved.repository(), saved.base(), job, 1);

        assertThat(ran()).isEmpty();
        assertThat(diff.files()).extracting(SavedDiff.FileDiff::path).containsExactlyInAnyOrder(".gitattributes",
                "README", "new", "sub", "x.equals", "x.long");
        assertThat(diff.files()).filteredOn(file -> file.path().equals("README")).singleElement()
                .satisfies(file -> assertThat(file.text()).contains("a/README b/README", "-hello\n+by the job\n"));
    }

    /** To tell whether a submodule has changed, git would start another git in it, with that one's configuration. */
    @Test
    void runsNothingThatANestedRepositoryNames() throws IOException {
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        GitRepo nested = GitRepo.at(tree.path().resolve("sub"), 1);
        Files.writeString(tree.path().resolve(".gitmodules"), """
                [submodule "sub"]
                    path = sub
                    url = ./sub
                    ignore = none
                """);
        new GitRepo(tree.path()).git("add", "sub", ".gitmodules");
        Files.delete(tree.path().resolve(".gitmodules"));
        setTraps(nested);
        nested.write("README", "changed\n");

        SavedWork saved = worktrees.release(tree).orElseThrow();

        assertThat(ran()).isEmpty();
        assertThat(repo.git("ls-tree", saved.commit(), "sub")).startsWith("160000 commit");
    }

    /** A job can write the worktree's own part of the repository, which says where the rest of it is. */
    @Test
    void usesTheRepositoryThatItKnowsWhateverTheWorktreeSays() throws IOException {
        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);
        GitRepo other = GitRepo.at(directory.resolve("other"), 0);
        setTraps(other);
        Path own = Path.of(new GitRepo(tree.path()).git("rev-parse", "--absolute-git-dir"));
        Files.writeString(own.resolve("commondir"), other.path().resolve(".git") + "\n");
        Files.writeString(tree.path().resolve("README"), "by the job\n");

        SavedWork saved = worktrees.release(tree).orElseThrow();

        assertThat(ran()).isEmpty();
        assertThat(repo.git("cat-file", "-p", saved.ref() + ":README")).isEqualTo("by the job");
        Worktree next = worktrees.acquire(repo.path(), "main", job, 2);
        assertThat(new GitRepo(next.path()).git("rev-parse", "--path-format=absolute", "--git-common-dir"))
                .isEqualTo(repo.path().resolve(".git").toString());
        worktrees.release(next);
    }

    @Test
    void runsFiltersOfATrustedRepositoryAndLeavesNothingOfThem() throws IOException {
        worktrees.close();
        worktrees = WorktreePool
                .open(WorktreePool.Settings.in(directory.resolve("trees")).trustRepositories(true));
        EscapingDaemon daemon = new EscapingDaemon(directory);
        Path smudge = script("smudge", daemon.daemonizeWithoutEnvironment() + "; " + daemon.awaitUp()
                + "; sed s/hello/smudged/");
        repo.git("config", "filter.trap.smudge", smudge.toString());
        repo.git("config", "core.fsmonitor", trap + " core.fsmonitor");
        Files.writeString(repo.path().resolve(".git/info/attributes"), "README filter=trap\n");

        Worktree tree = worktrees.acquire(repo.path(), "main", job, 1);

        assertThat(tree.path().resolve("README")).hasContent("smudged");
        assertThat(daemon.alive()).isEmpty();
        assertThat(ran()).isEmpty();
        worktrees.release(tree);
        daemon.awaitGone();
    }

    @Test
    void getsNoVariableThatItDoesNotNeed() {
        assertThat(Git.UNTRUSTED.environment(Map.of("PATH", "/bin", "HOME", "/root", "GIT_DIR", "/x", "API_KEY", "k",
                "COMPANY_REGION", "eu", "HEDDLE_HOME", "/h", "GIT_EXTERNAL_DIFF", "x", "EDITOR", "vi")))
                .containsKeys("PATH", "HOME")
                .doesNotContainKeys("GIT_DIR", "API_KEY", "COMPANY_REGION", "HEDDLE_HOME", "GIT_EXTERNAL_DIFF",
                        "EDITOR");
    }
}
