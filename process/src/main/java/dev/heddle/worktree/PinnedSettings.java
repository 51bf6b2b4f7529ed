package dev.heddle.worktree;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of git that the node overrides. Git runs the programs that the configuration of a repository names, and
 * jobs can write that configuration. Settings with a fixed name are always overridden. Those with a name that the
 * repository chooses, such as {@code filter.NAME.clean}, are overridden for each name that is set.
 *
 * <p>Attributes name filters and drivers, but only the configuration says which programs these are.
 */
final class PinnedSettings {

    /** Never run, whether or not repositories are trusted: nothing that the node does needs them. */
    private static final Map<String, String> ALWAYS = Map.ofEntries(Map.entry("core.hooksPath", "/dev/null"),
            Map.entry("core.fsmonitor", "false"), Map.entry("core.editor", "false"), Map.entry("core.pager", "cat"),
            Map.entry("core.alternateRefsCommand", "false"), Map.entry("sequence.editor", "false"),
            Map.entry("interactive.diffFilter", "cat"), Map.entry("diff.external", "false"),
            Map.entry("diff.ignoreSubmodules", "dirty"), Map.entry("status.submoduleSummary", "false"),
            Map.entry("submodule.recurse", "false"), Map.entry("commit.gpgSign", "false"),
            Map.entry("tag.gpgSign", "false"), Map.entry("log.showSignature", "false"),
            Map.entry("gpg.program", "false"), Map.entry("gc.auto", "0"), Map.entry("gc.autoDetach", "false"),
            Map.entry("maintenance.auto", "false"), Map.entry("advice.addEmbeddedRepo", "false"));

    private static final Map<String, String> UNTRUSTED = Map.of("core.sshCommand", "false", "core.askPass", "",
            "credential.helper", "", "protocol.allow", "never");

    /**
     * What to override for a setting with a chosen name.
     *
     * @param setting the setting that was found; its group is the chosen name
     * @param variable what to override in the same section
     */
    private record Rule(Pattern setting, String variable, String value) {

        static Rule of(String section, String variables, String variable, String value) {
            return new Rule(Pattern.compile("(" + section + "\\..+)\\.(?:" + variables + ")",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL), variable, value);
        }

        /** Overrides the settings that were found. */
        static List<Rule> same(String section, String value, String... variables) {
            return List.of(variables).stream().map(variable -> of(section, variable, variable, value)).toList();
        }
    }

    private static final List<Rule> ALWAYS_BY_NAME = List.of(Rule.of("hook", "\\w+", "enabled", "false"),
            Rule.of("hook", "\\w+", "command", "false"), Rule.of("submodule", "\\w+", "ignore", "dirty"),
            Rule.of("submodule", "\\w+", "update", "none"));

    private static final List<Rule> UNTRUSTED_BY_NAME = List
            .of(Rule.same("filter", "", "clean", "smudge", "process"), Rule.same("filter", "false", "required"),
                    Rule.same("diff", "false", "command", "textconv"), Rule.same("merge", "false", "driver"),
                    Rule.same("gpg", "false", "program", "defaultKeyCommand"), Rule.same("credential", "", "helper"),
                    Rule.same("remote", "false", "uploadpack", "receivepack"), Rule.same("protocol", "never", "allow"),
                    Rule.same("trailer", "false", "command", "cmd"),
                    Rule.same("(?:difftool|mergetool|guitool|man|browser)", "false", "cmd"))
            .stream().flatMap(List::stream).toList();

    private PinnedSettings() {}

    /**
     * Returns what to override.
     *
     * @param found the names of all settings of the repository
     * @param trusted whether the repository may name filters, and remotes to fetch missing objects from
     */
    static Map<String, String> of(Collection<String> found, boolean trusted) {
        Map<String, String> pinned = new LinkedHashMap<>(ALWAYS);
        addByName(ALWAYS_BY_NAME, found, pinned);
        if (!trusted) {
            pinned.putAll(UNTRUSTED);
            addByName(UNTRUSTED_BY_NAME, found, pinned);
        }
        return pinned;
    }

    private static void addByName(List<Rule> rules, Collection<String> found, Map<String, String> pinned) {
        for (String setting : found) {
            for (Rule rule : rules) {
                Matcher matcher = rule.setting.matcher(setting);
                if (matcher.matches()) {
                    pinned.put(matcher.group(1) + "." + rule.variable, rule.value);
                }
            }
        }
    }

    /** Returns the variables by which git learns the settings. Unlike {@code -c}, they allow any name. */
    static Map<String, String> variables(Map<String, String> pinned) {
        Map<String, String> variables = new LinkedHashMap<>();
        pinned.forEach((key, value) -> {
            int number = variables.size() / 2;
            variables.put("GIT_CONFIG_KEY_" + number, key);
            variables.put("GIT_CONFIG_VALUE_" + number, value);
        });
        variables.put("GIT_CONFIG_COUNT", Integer.toString(pinned.size()));
        return variables;
    }
}
