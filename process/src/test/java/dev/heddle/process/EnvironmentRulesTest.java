package dev.heddle.process;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EnvironmentRulesTest {

    private static final EnvironmentRules RULES = EnvironmentRules.standard();

    @ParameterizedTest
    @CsvSource({"HOME,/root,true", "PATH,/bin,true", "LANG,C,true", "GIT_AUTHOR_NAME,Ada,true", "SSH_AUTH_SOCK,/s,true",
        "OPENAI_API_KEY,x,false", "apikey,x,false", "AWS_SECRET_ACCESS_KEY,x,false", "DB_PASSWORD,x,false",
        "MYSQL_PASSWD,x,false", "GITHUB_TOKEN,x,false", "GOOGLE_APPLICATION_CREDENTIALS,x,false",
        "GPG_PASSPHRASE,x,false", "NPM_AUTH,x,false", "AZURE_PAT,x,false", "SENTRY_DSN,x,false", "PGPASSFILE,x,false",
        "DATABASE_URL,postgres://ada:lovelace@db/x,false", "DATABASE_URL,postgres://db/x,true",
        "HTTP_PROXY,http://proxy:3128/,true", "HTTP_PROXY,http://me:pw@proxy:3128/,false"})
    void holdsSecretsBack(String name, String value, boolean passes) {
        assertThat(RULES.environment(Map.of(name, value), Map.of(), Map.of()).containsKey(name)).isEqualTo(passes);
    }

    @Test
    void letsAllowedVariablesThrough() {
        Map<String, String> inherited = Map.of("OPENAI_API_KEY", "1", "OPENAI_ORG_KEY", "2", "OTHER_KEY", "3");

        assertThat(RULES.allowing(List.of("openai_*")).allowing(List.of("NOTHING")).environment(inherited, Map.of(),
                Map.of())).containsOnlyKeys("OPENAI_API_KEY", "OPENAI_ORG_KEY");
    }

    @Test
    void replacesThePatternsOfSecrets() {
        Map<String, String> inherited = Map.of("API_KEY", "1", "INTERNAL.HOST", "2", "INTERNALXHOST", "3");

        assertThat(RULES.secrets(List.of("internal.*")).environment(inherited, Map.of(), Map.of()))
                .containsOnlyKeys("API_KEY", "INTERNALXHOST");
    }

    @Test
    void passesExplicitVariablesButNeverOverHeddlesOwn() {
        Map<String, String> environment = RULES.environment(Map.of("A", "inherited", "HEDDLE_JOB_ID", "outer"),
                Map.of(EnvironmentVariable.JOB_ID, "42"),
                Map.of("A", "set", "API_KEY", "by hand", "HEDDLE_JOB_ID", "forged"));

        assertThat(environment)
                .containsExactlyInAnyOrderEntriesOf(Map.of("A", "set", "API_KEY", "by hand", "HEDDLE_JOB_ID", "42"));
    }

    @Test
    void namesHeddlesVariablesWithThePrefix() {
        Map<EnvironmentVariable, String> own = Map.of(EnvironmentVariable.JOB_ID, "1", EnvironmentVariable.WORKER_ID,
                "2", EnvironmentVariable.WORKTREE_PATH, "3", EnvironmentVariable.CONFIG_PATH, "4");

        assertThat(RULES.environment(Map.of(), own, Map.of())).containsOnlyKeys("HEDDLE_JOB_ID", "HEDDLE_WORKER_ID",
                "HEDDLE_WORKTREE_PATH", "HEDDLE_CONFIG_PATH");
        assertThat(RULES.prefix("ACODE").environment(Map.of(), own, Map.of())).containsOnlyKeys("ACODE_TASK_ID",
                "ACODE_WORKER_ID", "ACODE_WORKTREE_PATH", "ACODE_CONFIG_PATH");
        assertThat(RULES.prefix("MY").environment(Map.of(), own, Map.of())).containsKey("MY_JOB_ID");
    }

    @ParameterizedTest
    @CsvSource({"''", "1A", "A-B", "A B", "Ä"})
    void refusesAPrefixThatIsNotAName(String prefix) {
        assertThatThrownBy(() -> RULES.prefix(prefix)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + prefix + "'");
    }
}
