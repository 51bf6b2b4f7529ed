package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dependencies between the packages: sqlite → sql ← postgres. Each rule was seen to fail on a class that broke
 * it.
 */
class SqlArchitectureTest {

    private static final JavaClasses STORES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.heddle.sql", "dev.heddle.sqlite", "dev.heddle.postgres");

    @Test
    void sharedCodeDependsOnNeitherDatabase() {
        assertThat(STORES.size()).isGreaterThan(40);
        noClasses().that().resideInAPackage("dev.heddle.sql").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.sqlite", "dev.heddle.postgres", "org.sqlite..", "org.postgresql..")
                .check(STORES);
    }

    @Test
    void theStoresDoNotDependOnEachOther() {
        noClasses().that().resideInAPackage("dev.heddle.sqlite").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.postgres", "org.postgresql..").check(STORES);
        noClasses().that().resideInAPackage("dev.heddle.postgres").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.sqlite", "org.sqlite..").check(STORES);
    }

    @Test
    void storesDoNotDependOnThePool() {
        noClasses().should().dependOnClassesThat().resideInAPackage("dev.heddle.pool..").check(STORES);
    }
}
