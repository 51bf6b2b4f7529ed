package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows of the module: command → external → process, command → worktree, and all → core. Each rule was seen to
 * fail on a class that broke it.
 */
class ProcessArchitectureTest {

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle.process",
                    "dev.heddle.worktree", "dev.heddle.command", "dev.heddle.conversation", "dev.heddle.agent",
                    "dev.heddle.batch", "dev.heddle.external");

    @Test
    void processesKnowNothingOfWhatTheyAreFor() {
        assertThat(MODULE.size()).isGreaterThan(30);
        noClasses().that().resideInAPackage("dev.heddle.process..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.worktree", "dev.heddle.command", "dev.heddle.external",
                        "dev.heddle.job", "dev.heddle.store")
                .check(MODULE);
    }

    @Test
    void hasNoPackageCycles() {
        slices().matching("dev.heddle.(**)").should().beFreeOfCycles().check(MODULE);
    }

    @Test
    void externalWorkersKnowNothingOfCommandsAndStores() {
        noClasses().that().resideInAPackage("dev.heddle.external").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.worktree", "dev.heddle.command", "dev.heddle.store").check(MODULE);
    }

    @Test
    void conversationsKnowNeitherVendorsNorFiles() {
        noClasses().that().resideInAPackage("dev.heddle.conversation").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.agent", "dev.heddle.process..", "dev.heddle.job", "java.nio.file..")
                .check(MODULE);
    }

    @Test
    void batchesKnowNothingOfWhoRunsThem() {
        noClasses().that().resideInAPackage("dev.heddle.batch").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.agent", "dev.heddle.conversation", "dev.heddle.process..")
                .check(MODULE);
    }

    @Test
    void knowsNoDatabaseNoServerAndNoLoggingBackEnd() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.sql..", "dev.heddle.sqlite..", "dev.heddle.postgres..",
                        "dev.heddle.server..", "dev.heddle.control..", "java.sql..", "ch.qos.logback..")
                .check(MODULE);
    }

    @Test
    void nativeCallsAreMadeInOnePlace() {
        noClasses().that().doNotHaveFullyQualifiedName("dev.heddle.process.linux.Posix").and()
                .haveNameNotMatching("dev\\.heddle\\.process\\.linux\\.Posix\\$.*").should().dependOnClassesThat()
                .resideInAPackage("java.lang.foreign").check(MODULE);
    }

    @Test
    void timeComesIn() {
        noClasses().should().callMethod("java.time.Instant", "now").orShould()
                .callMethod("java.time.Clock", "systemUTC").check(MODULE);
    }
}
